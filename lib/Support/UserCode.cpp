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

/// Is this one of the headers by which calls are made?
static bool isInOurHeaders(const DILocation &Loc) {
  StringRef Path = Loc.getFilename();
  return Path.contains("isozyme/cxx/") || Path.ends_with("isozyme/isozyme.hpp") ||
         Path.ends_with("enzyme/enzyme") || Path.ends_with("enzyme/utils");
}

const DILocation *userLocation(const DILocation *Loc) {
  while (Loc && isInOurHeaders(*Loc) && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return Loc;
}

} // namespace isozyme
