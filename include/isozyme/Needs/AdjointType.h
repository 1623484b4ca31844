//===- AdjointType.h - The type of a value's adjoint -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_ADJOINTTYPE_H
#define ISOZYME_NEEDS_ADJOINTTYPE_H

#include "isozyme/Types/TypeResult.h"

namespace llvm {
class Instruction;
class StoreInst;
} // namespace llvm

namespace isozyme {

/// The type in which derivatives of \p V are kept: its own for floats (vectors,
/// aggregates); for an integer that type analysis knows to be a copy of floats,
/// that float or a vector of it; null for everything else.
llvm::Type *adjointType(const llvm::Value *V, const TypeResult &Types);

/// The same for the value that \p S stores; looks at the memory when the stored
/// value itself does not tell (the constant 0).
llvm::Type *storedAdjointType(const llvm::StoreInst &S, const TypeResult &Types);

/// The vector in which derivatives pass through the load or store under a mask \p I: as
/// many floats as the mask has lanes; null where it moves something else.
llvm::Type *maskedAdjointType(const llvm::Instruction &I, const TypeResult &Types);

/// Does \p Atomic (atomicrmw, cmpxchg) work on a counter, a flag or a lock: an integer
/// that carries no float?
bool worksOnInteger(const llvm::Instruction &Atomic, const TypeResult &Types);

/// Does \p S store an integer 0 that is a null pointer?
bool storesNullPointer(const llvm::StoreInst &S, const TypeResult &Types);

} // namespace isozyme

#endif
