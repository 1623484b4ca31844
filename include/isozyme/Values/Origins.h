//===- Origins.h - Where a value comes from ----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_ORIGINS_H
#define ISOZYME_VALUES_ORIGINS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Use;
class Value;
} // namespace llvm

namespace isozyme {

/// Searches look at no more values than this, unless a caller wants all.
inline constexpr unsigned MaxOrigins = 64;

using Operands = llvm::SmallVector<const llvm::Value *, 4>;

/// Is \p V one of its operands, unchanged: a phi, a select or a freeze?
bool isChoice(const llvm::Value &V);
/// The values of which \p V is one; empty if it is no choice.
Operands choicesOf(const llvm::Value *V);

/// Does \p IsIt hold for \p V, or for a value that it is made of? \p MadeOf tells what one
/// value is made of.
bool comesFrom(const llvm::Value *V, llvm::function_ref<Operands(const llvm::Value *)> MadeOf,
               llvm::function_ref<bool(const llvm::Value *)> IsIt, unsigned MaxSteps = MaxOrigins);
/// Does \p IsIt hold for \p V, or for a value that it may be a copy of?
bool mayBeCopyOf(const llvm::Value *V, llvm::function_ref<bool(const llvm::Value *)> IsIt);

/// The value that a variable without optimisation holds, if it is set once; else \p V itself.
const llvm::Value *throughVariable(const llvm::Value *V);

/// Does \p Holds hold for each use of \p Object, of each address computed from it, and of what a
/// variable without optimisation holds of these?
bool allUsesOf(const llvm::Value &Object, llvm::function_ref<bool(const llvm::Use &)> Holds);

} // namespace isozyme

#endif
