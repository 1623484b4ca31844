//===- StrongZero.h - Where strong zero needs a guard ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_STRONGZERO_H
#define ISOZYME_RULES_STRONGZERO_H

#include "isozyme/Ops/OpView.h"

namespace isozyme {

/// Must the partial of operand \p Wrt of \p I, seen as \p V, be guarded, because its
/// coefficient of T may be inf or nan though all that the user computes with is finite? False
/// where the user wants no guards.
bool needsStrongZero(const llvm::Instruction &I, const OpView &V, unsigned Wrt);

/// Is \p V never zero, nor so small that a quotient by it overflows? A sum of squares and of a
/// positive constant is not.
bool isNeverZero(const llvm::Value &V, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
