//===- Cleanup.h - Tidy up a derivative function -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CLEANUP_CLEANUP_H
#define ISOZYME_CLEANUP_CLEANUP_H

namespace llvm {
class Function;
class TargetLibraryInfo;
} // namespace llvm

namespace isozyme {

/// Removes what emission leaves for convenience: locals of adjoints and tape
/// slots become registers, unreachable blocks and unused computations go (calls of
/// math functions too: a derivative does not report through errno). What an optimiser does anyway
/// is left to the pipeline that follows.
void cleanUp(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace isozyme

#endif
