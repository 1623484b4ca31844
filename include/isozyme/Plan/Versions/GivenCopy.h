//===- GivenCopy.h - A function that is given its words ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_GIVENCOPY_H
#define ISOZYME_PLAN_VERSIONS_GIVENCOPY_H

#include "isozyme/Plan/Versions/EntryReads.h"

namespace isozyme {

/// A copy of \p F that is given \p Reads: the same function unless it writes there. Drops from \p
/// Reads what cannot be read before the function runs. Null: nothing can.
llvm::Function *copyThatIsGiven(llvm::SmallVectorImpl<EntryRead> &Reads, llvm::Function &F);

/// What \p R, a request for a function, is for \p Copy of it, which is given \p Reads.
DiffRequest requestForCopy(const DiffRequest &R, llvm::Function &Copy,
                           llvm::ArrayRef<EntryRead> Reads);

} // namespace isozyme

#endif
