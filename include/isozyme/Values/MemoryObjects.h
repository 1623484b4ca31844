//===- MemoryObjects.h - What memory an address leads to ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_MEMORYOBJECTS_H
#define ISOZYME_VALUES_MEMORYOBJECTS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace isozyme {

/// The objects in which an access of \p In through \p Ptr may lie. The address of a std::vector
/// is null if it is empty, and no access goes there.
llvm::SmallVector<const llvm::Value *, 2> accessedObjects(const llvm::Value *Ptr,
                                                          const llvm::Function &In);

/// Something of which it is known that it is not computed from an argument. The address of
/// memory that is reached in one way only is not in memory.
bool beginsHere(const llvm::Value *Object);

} // namespace isozyme

#endif
