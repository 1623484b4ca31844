//===- LengthBound.cpp - How much a copy can copy -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/LengthBound.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

namespace isozyme {

/// \p IsLength: a whole length, not a number that it is one of the least of.
static uint64_t mostOf(const Value &V, bool IsLength, unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  uint64_t Known = computeConstantRange(&V, /*ForSigned=*/false).getUnsignedMax().getLimitedValue();
  if (Depth == MaxDepth)
    return Known;
  if (auto *Choice = dyn_cast<SelectInst>(&V))
    return std::min(Known, std::max(mostOf(*Choice->getTrueValue(), IsLength, Depth + 1),
                                    mostOf(*Choice->getFalseValue(), IsLength, Depth + 1)));
  auto *Min = dyn_cast<MinMaxIntrinsic>(&V);
  if (Min && Min->getIntrinsicID() == Intrinsic::umin)
    return std::min({Known, mostOf(*Min->getLHS(), false, Depth + 1),
                     mostOf(*Min->getRHS(), false, Depth + 1)});
  if (Min && Min->getIntrinsicID() == Intrinsic::smin && IsLength)
    for (const Value *Side : {Min->getLHS(), Min->getRHS()})
      if (auto *C = dyn_cast<ConstantInt>(Side); C && !C->isNegative())
        Known = std::min(Known, C->getLimitedValue());
  return Known;
}

uint64_t mostBytes(const Value &Length) { return mostOf(Length, true, 0); }

} // namespace isozyme
