//===- AtomicBits.h - Atomic operations on the bits of floats ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_ATOMICBITS_H
#define ISOZYME_VALUES_ATOMICBITS_H

#include "llvm/IR/Instructions.h"

namespace isozyme {

/// May \p I, on integers, leave the bits of a float there? Those of floats have their order, so
/// that programs take the largest of them as the largest integer.
inline bool mayMoveFloatBits(const llvm::AtomicRMWInst &I) {
  switch (I.getOperation()) {
  case llvm::AtomicRMWInst::Xchg:
  case llvm::AtomicRMWInst::Max:
  case llvm::AtomicRMWInst::Min:
  case llvm::AtomicRMWInst::UMax:
  case llvm::AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

/// Does \p I leave the larger, or the smaller, of two values in memory?
inline bool isAtomicExtremum(const llvm::AtomicRMWInst &I) {
  return I.getOperation() == llvm::AtomicRMWInst::FMax ||
         I.getOperation() == llvm::AtomicRMWInst::FMin ||
         (mayMoveFloatBits(I) && I.getOperation() != llvm::AtomicRMWInst::Xchg);
}

} // namespace isozyme

#endif
