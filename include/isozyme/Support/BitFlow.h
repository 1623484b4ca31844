//===- BitFlow.h - Bits of floats in integers -------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How bits are followed from a float into integers and back. Which operations hand
// bits on differs from stage to stage, so callers say that.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_BITFLOW_H
#define ISOZYME_SUPPORT_BITFLOW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

/// Values beyond this many are not followed, unless a caller wants all.
inline constexpr unsigned MaxBitSteps = 64;

/// Has the integer \p V room for more of a float than sign and exponent?
bool hasRoomForMantissa(const llvm::Value *V, const llvm::DataLayout &DL);

using Operands = llvm::SmallVector<const llvm::Value *, 4>;

/// Does \p IsIt hold for \p V, or for a value that it is made of? \p MadeOf tells what one
/// value is made of.
bool comesFrom(const llvm::Value *V, llvm::function_ref<Operands(const llvm::Value *)> MadeOf,
               llvm::function_ref<bool(const llvm::Value *)> IsIt);

/// Do the bits of the integer \p V become a float for which \p IsIt holds, over operations for
/// which \p PassesOn holds?
bool becomesFloat(const llvm::Value *V,
                  llvm::function_ref<bool(const llvm::Instruction &)> PassesOn,
                  llvm::function_ref<bool(const llvm::Value *)> IsIt,
                  unsigned MaxSteps = MaxBitSteps);

} // namespace isozyme

#endif
