//===- KnownRuntimes.h - Libraries that compute out of sight ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, processes, GPUs, linear algebra: which library does a function without a
// body belong to, and what can a user do about a call of it? For messages, and to
// refuse the advice, or the wish, to call such functions inactive.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_KNOWNRUNTIMES_H
#define ISOZYME_OPS_KNOWNRUNTIMES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
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

} // namespace isozyme

#endif
