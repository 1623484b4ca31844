//===- LinkTime.cpp - Link-time optimisation with the plugin --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkTime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme::driver {

LinkTime::LinkTime(Words Arguments) {
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if (A == "-flto" || A.starts_with("-flto="))
      IsAsked = A != "-flto=thin";
    else if (A == "-fno-lto")
      IsAsked = false;
    else if (A == "-funified-lto" || A == "-fno-unified-lto")
      IsUnified = A == "-funified-lto";
    else if (is_contained({"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}, A))
      Links = false;
    else if (A.starts_with("-fuse-ld="))
      OtherLinker = sys::path::filename(A.substr(strlen("-fuse-ld="))).contains("lld") ? "" : A;
    else if (A == "-mllvm" && I + 1 < Arguments.size() &&
             (Arguments[I + 1].ltrim('-').starts_with("isozyme-") ||
              Arguments[I + 1].ltrim('-').starts_with("enzyme-")))
      PluginOptions.push_back(Arguments[++I]);
  }
}

Error LinkTime::addFlags(std::vector<std::string> &Command, Language L, StringRef Compiler) const {
  if (!IsAsked)
    return Error::success();
  Command.push_back("-flto=full");
  // What flang writes is not of the unified kind.
  bool Unified = IsUnified && L != Language::Fortran;
  if (Unified)
    Command.push_back("-funified-lto");
  if (!Links)
    return Error::success();
  if (!OtherLinker.empty())
    return createStringError("'" + OtherLinker +
                             "': with -flto the linker has to be lld, which loads the plugin; "
                             "leave it out");
  std::string Linker = findLinker(Compiler);
  if (Linker.empty())
    return createStringError("there is no ld.lld of release " LLVM_VERSION_MAJOR_STRING
                             " (Debian: apt install lld-" LLVM_VERSION_MAJOR_STRING
                             "), which -flto needs");
  Command.push_back("-fuse-ld=lld");
  SmallString<256> Real;
  if (sys::fs::real_path(Compiler, Real) ||
      sys::path::parent_path(Linker) != sys::path::parent_path(Real))
    Command.push_back("--ld-path=" + Linker); // One that the compiler does not find by itself.
  if (Unified)
    Command.push_back("-Wl,--lto=full");
  auto tellLinker = [&](const Twine &Word) {
    Command.push_back("-Xlinker");
    Command.push_back(Word.str());
  };
  tellLinker("--load-pass-plugin=" + pluginFile());
  if (PluginOptions.empty())
    return Error::success();
  // The linker reads its options before it loads plugins, but for this one.
  tellLinker("-mllvm");
  tellLinker("-load=" + pluginFile());
  for (StringRef Option : PluginOptions) {
    tellLinker("-mllvm");
    tellLinker(Option);
  }
  return Error::success();
}

} // namespace isozyme::driver
