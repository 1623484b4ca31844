//===- HostVersion.h - Is the host of the LLVM release meant? ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked by both plugin files when they are loaded, before the wrong LLVM sees a class of
// another layout. The C interface tells the version from 16 on.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_PLUGIN_HOSTVERSION_H
#define ISOZYME_TOOLS_PLUGIN_HOSTVERSION_H

#include "llvm/Config/llvm-config.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

/// One line and an end where it is another one, or no LLVM at all.
inline void checkHostVersion() {
  using GetVersionFn = void (*)(unsigned *, unsigned *, unsigned *);
  auto GetVersion = reinterpret_cast<GetVersionFn>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!GetVersion && !dlsym(RTLD_DEFAULT, "LLVMContextCreate")) {
    // Some hosts have LLVM without its C interface. Without what registers an option, there is
    // none.
    if (dlsym(RTLD_DEFAULT, "_ZN4llvm2cl6Option11addArgumentEv"))
      return;
    std::fprintf(stderr,
                 "isozyme: error: this is a plugin for LLVM %d, and the program that loads it is "
                 "built without LLVM: gcc cannot use it; compile with clang-%d, or with 'isozyme "
                 "cc' and 'isozyme c++'\n",
                 LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
    std::_Exit(1);
  }
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (GetVersion)
    GetVersion(&Major, &Minor, &Patch);
  if (Major == LLVM_VERSION_MAJOR)
    return;
  std::string Host =
      GetVersion ? std::to_string(Major) + "." + std::to_string(Minor) + "." + std::to_string(Patch)
                 : std::string("older than 16");
  std::fprintf(stderr,
               "isozyme: error: this plugin is for LLVM %d, and the program that loads it "
               "uses LLVM %s; use clang-%d, opt-%d, flang-%d or ld.lld-%d\n",
               LLVM_VERSION_MAJOR, Host.c_str(), LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR,
               LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
  std::_Exit(1);
}

#endif
