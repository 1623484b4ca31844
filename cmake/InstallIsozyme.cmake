# What `cmake --install` gives: the plugin, the public header, the driver command,
# and a CMake package. The build tree has the same layout, so that the driver
# command works from both.
set(ISOZYME_INSTALL_CMAKEDIR ${ISOZYME_INSTALL_PLUGINDIR}/cmake/Isozyme)

install(TARGETS Isozyme LIBRARY DESTINATION ${ISOZYME_INSTALL_PLUGINDIR})
install(TARGETS isozyme RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/isozyme/isozyme.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/isozyme)
configure_file(include/isozyme/isozyme.h
  ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR}/isozyme/isozyme.h COPYONLY)

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/IsozymeConfig.cmake.in IsozymeConfig.cmake
  INSTALL_DESTINATION ${ISOZYME_INSTALL_CMAKEDIR}
  PATH_VARS ISOZYME_INSTALL_PLUGINDIR CMAKE_INSTALL_INCLUDEDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(IsozymeConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/IsozymeConfig.cmake
  ${PROJECT_BINARY_DIR}/IsozymeConfigVersion.cmake DESTINATION ${ISOZYME_INSTALL_CMAKEDIR})
