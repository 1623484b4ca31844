//===- PromoteLocals.h - Locals of a derivative into registers ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CLEANUP_PROMOTELOCALS_H
#define ISOZYME_CLEANUP_PROMOTELOCALS_H

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// Replaces the allocas of \p F that are only loaded and stored by values and
/// phis. All blocks of \p F must be reachable.
void promoteLocals(llvm::Function &F);

} // namespace isozyme

#endif
