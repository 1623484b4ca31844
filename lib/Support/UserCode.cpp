//===- UserCode.cpp - Which lines are the user's --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace isozyme {

bool isOurHeader(StringRef Path) {
  return Path.contains("isozyme/cxx/") || Path.ends_with("isozyme/isozyme.hpp") ||
         Path.ends_with("enzyme/enzyme") || Path.ends_with("enzyme/utils");
}

bool isLibraryFile(StringRef Path) {
  return isOurHeader(Path) || Path.starts_with("/usr/") || Path.contains("/include/c++/") ||
         Path.contains("/c++/v1/") || Path.contains("/lib/clang/");
}

const DILocation *userLocation(const DILocation *Loc) {
  while (Loc && isOurHeader(Loc->getFilename()) && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return Loc;
}

const DILocation *lineOfUser(const DILocation *Loc) {
  while (Loc && isLibraryFile(Loc->getFilename()) && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return Loc;
}

} // namespace isozyme
