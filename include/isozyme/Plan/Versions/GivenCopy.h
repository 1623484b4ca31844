//===- GivenCopy.h - A function that is given its words ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_GIVENCOPY_H
#define ISOZYME_PLAN_VERSIONS_GIVENCOPY_H

#include "isozyme/Plan/Versions/EntryReads.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace isozyme {

/// An internal copy of \p F, called \p Name, that has parameters of the types \p Given behind its
/// own. \p Map leads to the copies of values.
llvm::Function *copyWithParameters(llvm::Function &F, llvm::ArrayRef<llvm::Type *> Given,
                                   const llvm::Twine &Name, llvm::ValueToValueMapTy &Map);
/// Remarks call the parameter what the source calls the word that it stands for.
void nameAsInSource(llvm::Argument &A, llvm::StringRef Name, const llvm::DIType *Declared);
/// \p R is about a function with one parameter more, of which nothing else is known.
void addParameter(DiffRequest &R, ArgActivity Activity);

/// A copy of \p F that is given \p Reads: the same function unless it writes there. Drops from \p
/// Reads what cannot be read before the function runs. Null: nothing can.
llvm::Function *copyThatIsGiven(llvm::SmallVectorImpl<EntryRead> &Reads, llvm::Function &F);

/// What \p R, a request for a function, is for \p Copy of it, which is given \p Reads.
DiffRequest requestForCopy(const DiffRequest &R, llvm::Function &Copy,
                           llvm::ArrayRef<EntryRead> Reads);

} // namespace isozyme

#endif
