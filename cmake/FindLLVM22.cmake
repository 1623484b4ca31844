# Finds LLVM 22 and says plainly what to install when it is not there.
set(CMAKE_DISABLE_FIND_PACKAGE_zstd TRUE) # only LLVM's static archives need it
if(NOT LLVM_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/llvm)
  set(LLVM_DIR /usr/lib/llvm-22/lib/cmake/llvm CACHE PATH "LLVM's CMake package")
endif()
find_package(LLVM 22.1 CONFIG)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "Isozyme needs LLVM 22.1 (Debian: llvm-22-dev). "
    "Run tools/quickstart, or pass -DLLVM_DIR=<prefix>/lib/cmake/llvm.")
endif()
separate_arguments(ISOZYME_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
set(LLVM_MAJOR ${LLVM_VERSION_MAJOR})
