//===- BitFlow.h - Bits of floats in integers -------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How bits are followed from a float into integers and back. Which operations hand
// bits on differs from stage to stage, so callers say that.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_BITFLOW_H
#define ISOZYME_VALUES_BITFLOW_H

#include "isozyme/Values/Origins.h"

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace isozyme {

/// Has the integer \p V room for more of a float than sign and exponent?
bool hasRoomForMantissa(const llvm::Value *V, const llvm::DataLayout &DL);

/// Do the bits of the integer \p V become a float for which \p IsIt holds, over operations for
/// which \p PassesOn holds?
bool becomesFloat(const llvm::Value *V,
                  llvm::function_ref<bool(const llvm::Instruction &)> PassesOn,
                  llvm::function_ref<bool(const llvm::Value *)> IsIt,
                  unsigned MaxSteps = MaxOrigins);

/// Are the bits of operands in the result: a choice, a cast of integers, or arithmetic on them?
bool passesBitsOn(const llvm::Instruction &I);

/// Is the integer \p V made of the bits of a float for which \p IsIt holds, or of an integer for
/// which it does, over such operations?
bool isMadeOfBits(const llvm::Value *V, const llvm::DataLayout &DL,
                  llvm::function_ref<bool(const llvm::Value *)> IsIt);

} // namespace isozyme

#endif
