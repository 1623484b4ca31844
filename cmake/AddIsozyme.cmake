# isozyme_stage(NAME DEPENDS stages...): one object library per stage of the
# pipeline. A stage sees the headers of all stages, but links only those below it.
function(isozyme_target_flags TARGET)
  target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${TARGET} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${TARGET} PRIVATE ${ISOZYME_LLVM_DEFINITIONS})
  # rustc's LLVM has no RTTI, and LLVM throws nothing.
  target_compile_options(${TARGET} PRIVATE -fno-exceptions -fno-rtti -Wall -Wextra
    -Wno-unused-parameter)
  if(ISOZYME_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=address,undefined -fno-sanitize=vptr
      -shared-libasan -fno-omit-frame-pointer)
    target_link_options(${TARGET} PRIVATE -fsanitize=address,undefined -shared-libasan)
  endif()
  if(ISOZYME_FUZZER) # See test/fuzz/ir.
    target_compile_options(${TARGET} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# A host that loads a sanitized plugin has to load this file first.
if(ISOZYME_SANITIZE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER}
      -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE ASAN_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS ${ASAN_RUNTIME})
    message(FATAL_ERROR "ISOZYME_SANITIZE needs clang's sanitizer runtimes "
      "(Debian: libclang-rt-22-dev). Run tools/quickstart.")
  endif()
  set_property(GLOBAL PROPERTY ISOZYME_ASAN_RUNTIME ${ASAN_RUNTIME})
  # Our own programs find it by themselves.
  cmake_path(GET ASAN_RUNTIME PARENT_PATH ASAN_RUNTIME_FOLDER)
  list(APPEND CMAKE_BUILD_RPATH ${ASAN_RUNTIME_FOLDER})
endif()

function(isozyme_stage NAME)
  set(FOLDER ${CMAKE_CURRENT_SOURCE_DIR}/${NAME})
  # A stage has rooms, one folder deep. Library/ holds code of derivatives, not of the plugin.
  file(GLOB SOURCES CONFIGURE_DEPENDS ${FOLDER}/*.cpp ${FOLDER}/*/*.cpp)
  list(FILTER SOURCES EXCLUDE REGEX "/Library/")
  if(NOT SOURCES)
    return()
  endif()
  add_library(Isozyme${NAME} OBJECT ${SOURCES})
  isozyme_target_flags(Isozyme${NAME})
  target_include_directories(Isozyme${NAME} PRIVATE ${FOLDER})
  if(NAME STREQUAL Support)
    target_precompile_headers(Isozyme${NAME} PRIVATE
      ${PROJECT_SOURCE_DIR}/include/isozyme/Support/Precompiled.h)
  else()
    target_precompile_headers(Isozyme${NAME} REUSE_FROM IsozymeSupport)
  endif()
  set_property(GLOBAL APPEND PROPERTY ISOZYME_STAGES Isozyme${NAME})
endfunction()

# isozyme_link_stages(TARGET [stages...]): puts stages (all of them by default)
# and libLLVM into a program of our own. The plugin takes LLVM from its host.
# To share the precompiled headers it is compiled as the plugin is (-fPIC).
function(isozyme_link_stages TARGET)
  set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${TARGET} PRIVATE -fPIC)
  target_precompile_headers(${TARGET} REUSE_FROM IsozymeSupport)
  set(STAGES ${ARGN})
  if(NOT STAGES)
    get_property(STAGES GLOBAL PROPERTY ISOZYME_STAGES)
    list(TRANSFORM STAGES REPLACE "^Isozyme" "")
  endif()
  foreach(STAGE ${STAGES})
    if(TARGET Isozyme${STAGE})
      target_sources(${TARGET} PRIVATE $<TARGET_OBJECTS:Isozyme${STAGE}>)
    endif()
  endforeach()
  target_link_libraries(${TARGET} PRIVATE LLVM)
endfunction()
