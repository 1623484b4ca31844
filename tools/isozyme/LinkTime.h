//===- LinkTime.h - Link-time optimisation with the plugin -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of functions of other files are made by the linker's run of the plugin. Reads
// from the user's arguments whether one is asked for (-flto), and says what that needs:
//
//   compiling   -funified-lto: code that is simplified, and not unrolled, until it is linked
//   linking     lld, which is told that this is full optimisation, with the plugin
//
// Thin optimisation (-flto=thin) is left to the user: its linker does not bring a function of
// another file to the one that differentiates it.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_ISOZYME_LINKTIME_H
#define ISOZYME_TOOLS_ISOZYME_LINKTIME_H

#include "Commands.h"
#include "Toolchain.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace isozyme::driver {

class LinkTime {
public:
  explicit LinkTime(Words Arguments);
  /// As if the user had said -flto, too.
  void ask() { IsAsked = true; }

  llvm::Error addFlags(std::vector<std::string> &Command, Language L,
                       llvm::StringRef Compiler) const;

private:
  bool IsAsked = false;
  bool IsUnified = true;
  bool Links = true; ///< Is there a step of linking?
  llvm::StringRef OtherLinker;
  std::vector<llvm::StringRef> PluginOptions; ///< Those after -mllvm.
};

} // namespace isozyme::driver

#endif
