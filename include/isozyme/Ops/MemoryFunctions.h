//===- MemoryFunctions.h - Functions that manage memory, by name -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_MEMORYFUNCTIONS_H
#define ISOZYME_OPS_MEMORYFUNCTIONS_H

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// A function that allocates or releases memory, and may be called through a pointer.
bool managesMemory(const llvm::Function &F);

} // namespace isozyme

#endif
