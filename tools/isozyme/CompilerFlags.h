//===- CompilerFlags.h - What Isozyme adds to a compiler's command -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where flags are put together: for `cc`, `c++`, `fc`, `check`, `explain`
// and `--flags`. cmake/IsozymeConfig.cmake.in says the same to CMake.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_ISOZYME_COMPILERFLAGS_H
#define ISOZYME_TOOLS_ISOZYME_COMPILERFLAGS_H

#include "LinkTime.h"
#include "Toolchain.h"
#include <string>
#include <vector>

namespace isozyme::driver {

/// For every file: the plugin, the headers, exact places in messages.
std::vector<std::string> compilerFlags(Language L);

/// A whole command: the compiler, what Isozyme adds, and then the user's \p Arguments, so that
/// theirs win. Empty after a message.
std::vector<std::string> compilerCommand(Language L, Words Arguments, const LinkTime &Lto);

} // namespace isozyme::driver

#endif
