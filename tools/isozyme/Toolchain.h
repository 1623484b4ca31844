//===- Toolchain.h - The programs and files that commands use ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parts of Isozyme beside this program, in the build tree as when installed,
// and the compilers. Starts programs. What is missing is said here, once.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_ISOZYME_TOOLCHAIN_H
#define ISOZYME_TOOLS_ISOZYME_TOOLCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace isozyme::driver {

enum class Language { C, Cxx, Fortran };

/// Prints an error. Returns 1, the exit status.
int fail(const llvm::Twine &What);

std::string pluginFile();
/// What clang loads in addition, to know the attributes of Enzyme.
std::string attributesFile();
std::string includeFolder();
/// False after a message.
bool checkInstallation();

/// The compiler for \p L; empty after a message.
std::string findCompiler(Language L);
/// The linker that loads the plugin; empty if there is none. \p Compiler: it may stand beside it.
std::string findLinker(llvm::StringRef Compiler);

/// Compiles the Fortran module if \p Flang was not there when Isozyme was built. A note says where
/// that is not possible.
void provideFortranModule(llvm::StringRef Flang);

/// Becomes that program. Returns only after a message.
int become(llvm::ArrayRef<std::string> Command);
/// Runs a command and waits for it. Its status; 1 after a message if it crashes.
int runAndWait(llvm::ArrayRef<std::string> Command, const llvm::Twine &What);

} // namespace isozyme::driver

#endif
