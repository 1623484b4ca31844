//===- StrongZero.h - Where strong zero needs a guard ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_STRONGZERO_H
#define ISOZYME_RULES_STRONGZERO_H

#include "isozyme/Ops/OpView.h"

namespace llvm {
struct SimplifyQuery;
} // namespace llvm

namespace isozyme {

/// Must the partial of operand \p Wrt of \p I, seen as \p V, be guarded, because its
/// coefficient of T may be inf or nan though all that the user computes with is finite? False
/// where the user wants no guards. \p Facts: what holds where the operation runs.
bool needsStrongZero(const llvm::Instruction &I, const OpView &V, unsigned Wrt,
                     const llvm::SimplifyQuery &Facts);

/// Is \p V never zero, nor so small that a quotient by it overflows? A sum of squares and of a
/// positive constant is not.
bool isNeverZero(const llvm::Value &V, const llvm::SimplifyQuery &Facts);

/// May `T / Divisor`, which has no guard, be `T * (1 / Divisor)`? A zero T stays zero then, or
/// the user wants no such care.
bool mayInvert(const llvm::Instruction &I, const llvm::Value &Divisor);

} // namespace isozyme

#endif
