//===- KnownMultiple.cpp - A number that divides a value ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/KnownMultiple.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

uint64_t knownMultiple(const Value &V, const DataLayout &DL) {
  const APInt *Factor;
  const Value *Rest;
  // Without wrapping only: 2^64 is no multiple of 24.
  if ((match(&V, m_NUWMul(m_Value(Rest), m_APInt(Factor))) ||
       match(&V, m_NSWMul(m_Value(Rest), m_APInt(Factor)))) &&
      Factor->isStrictlyPositive() && Factor->getActiveBits() <= 32)
    return Factor->getZExtValue();
  // No address is aligned more than a page, so larger powers tell nothing.
  unsigned Zeros = computeKnownBits(&V, DL).countMinTrailingZeros();
  return uint64_t(1) << std::min(Zeros, 12u);
}

} // namespace isozyme
