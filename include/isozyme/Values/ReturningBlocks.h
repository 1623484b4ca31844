//===- ReturningBlocks.h - Where a function may return -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_RETURNINGBLOCKS_H
#define ISOZYME_VALUES_RETURNINGBLOCKS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace isozyme {

/// The blocks from which \p F may return. Others end the program or leave the derivative by an
/// exception: where one is caught, functions have been copied that return instead.
llvm::SmallPtrSet<const llvm::BasicBlock *, 32> returningBlocks(const llvm::Function &F);

} // namespace isozyme

#endif
