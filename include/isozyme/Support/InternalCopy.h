//===- InternalCopy.h - Copies of functions are nobody's symbols -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_INTERNALCOPY_H
#define ISOZYME_SUPPORT_INTERNALCOPY_H

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// A copy of a function is nobody else's symbol, whatever the function is.
void becomeInternal(llvm::Function &Copy);
/// An internal copy of \p F.
llvm::Function &internalCopyOf(llvm::Function &F);
/// \p F is for the processor that \p Like is compiled for. It depends on that how vectors are
/// passed from the one to the other.
void takeTarget(llvm::Function &F, const llvm::Function &Like);

} // namespace isozyme

#endif
