# What `cmake --install` gives: the two plugin files, the library for derivatives at run time, the
# public headers, the driver command, and a CMake package. The build tree has the same layout,
# so that the driver command works from both.
set(ISOZYME_INSTALL_CMAKEDIR ${ISOZYME_INSTALL_PLUGINDIR}/cmake/Isozyme)

install(TARGETS Isozyme IsozymeClang IsozymeJIT LIBRARY DESTINATION ${ISOZYME_INSTALL_PLUGINDIR})
install(TARGETS isozyme RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Everything else below include/ is for Isozyme's own sources.
file(GLOB ISOZYME_PUBLIC_HEADERS RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
  include/isozyme/isozyme.h include/isozyme/isozyme_capi.h include/isozyme/isozyme.hpp
  include/isozyme/eigen.hpp include/isozyme/gpu.h include/isozyme/torch.hpp include/isozyme/cxx/*.hpp
  include/isozyme/fortran/isozyme.f90 include/enzyme/*)
foreach(HEADER ${ISOZYME_PUBLIC_HEADERS})
  get_filename_component(FOLDER ${HEADER} DIRECTORY)
  install(FILES include/${HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${FOLDER})
  configure_file(include/${HEADER}
    ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR}/${HEADER} COPYONLY)
endforeach()

# The Fortran module, as flang reads it, where there is a flang.
find_program(ISOZYME_FLANG NAMES flang HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
find_program(ISOZYME_FLANG NAMES flang-${LLVM_MAJOR})
if(ISOZYME_FLANG)
  set(FORTRAN_FOLDER ${CMAKE_INSTALL_INCLUDEDIR}/isozyme/fortran)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${FORTRAN_FOLDER}/isozyme.mod
    COMMAND ${ISOZYME_FLANG} -fsyntax-only -module-dir ${PROJECT_BINARY_DIR}/${FORTRAN_FOLDER}
      ${PROJECT_SOURCE_DIR}/include/isozyme/fortran/isozyme.f90
    DEPENDS include/isozyme/fortran/isozyme.f90 VERBATIM COMMENT "Compiling the Fortran module")
  add_custom_target(IsozymeFortranModule ALL
    DEPENDS ${PROJECT_BINARY_DIR}/${FORTRAN_FOLDER}/isozyme.mod)
  add_dependencies(isozyme IsozymeFortranModule)
  install(FILES ${PROJECT_BINARY_DIR}/${FORTRAN_FOLDER}/isozyme.mod DESTINATION ${FORTRAN_FOLDER})
endif()

# CMake finds it in the build tree, too, where bin/ of that is on the path.
set(PACKAGE_FOLDER ${PROJECT_BINARY_DIR}/${ISOZYME_INSTALL_CMAKEDIR})
# Where it used to be, where CMake would find it first.
file(REMOVE ${PROJECT_BINARY_DIR}/IsozymeConfig.cmake ${PROJECT_BINARY_DIR}/IsozymeConfigVersion.cmake)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/IsozymeConfig.cmake.in ${PACKAGE_FOLDER}/IsozymeConfig.cmake
  INSTALL_DESTINATION ${ISOZYME_INSTALL_CMAKEDIR}
  PATH_VARS ISOZYME_INSTALL_PLUGINDIR CMAKE_INSTALL_INCLUDEDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PACKAGE_FOLDER}/IsozymeConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PACKAGE_FOLDER}/IsozymeConfig.cmake
  ${PACKAGE_FOLDER}/IsozymeConfigVersion.cmake DESTINATION ${ISOZYME_INSTALL_CMAKEDIR})
