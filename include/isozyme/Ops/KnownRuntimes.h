//===- KnownRuntimes.h - Libraries that compute out of sight ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, processes, GPUs, linear algebra: this says to which library a function without
// a body belongs, and what a user can do about a call of it. Messages use it. They never
// advise to mark such a function inactive. Where it runs functions of the program, such a
// mark has no effect.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_KNOWNRUNTIMES_H
#define ISOZYME_OPS_KNOWNRUNTIMES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace isozyme {

/// A row of KnownRuntimes.def.
struct KnownRuntime {
  llvm::StringLiteral Name;
  llvm::StringLiteral Advice;
};

/// The library that \p Symbol belongs to; null if it is none of those.
const KnownRuntime *knownRuntime(llvm::StringRef Symbol);
/// Does \p F, which has no body, run functions of the program: in threads, for example?
bool runsProgram(const llvm::Function &F);

/// Does flang's library, in \p Call, give the `class` variable that is the first argument the type
/// that the second tells: a table, or a descriptor?
bool setsDynamicType(const llvm::CallBase &Call);

} // namespace isozyme

#endif
