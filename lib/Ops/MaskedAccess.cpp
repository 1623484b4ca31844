//===- MaskedAccess.cpp - Vector loads and stores under a mask -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

std::optional<MaskedAccess> maskedAccess(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return std::nullopt;
  auto loadOf = [&](MaskedAccess::Shape Where) {
    return MaskedAccess{Where, true, II->getArgOperand(0), II->getArgOperand(1),
                        II->getArgOperand(2)};
  };
  auto storeOf = [&](MaskedAccess::Shape Where) {
    return MaskedAccess{Where, false, II->getArgOperand(1), II->getArgOperand(2),
                        II->getArgOperand(0)};
  };
  switch (II->getIntrinsicID()) {
  case Intrinsic::masked_load:
    return loadOf(MaskedAccess::Whole);
  case Intrinsic::masked_gather:
    return loadOf(MaskedAccess::PerLane);
  case Intrinsic::masked_expandload:
    return loadOf(MaskedAccess::Packed);
  case Intrinsic::masked_store:
    return storeOf(MaskedAccess::Whole);
  case Intrinsic::masked_scatter:
    return storeOf(MaskedAccess::PerLane);
  case Intrinsic::masked_compressstore:
    return storeOf(MaskedAccess::Packed);
  default:
    return std::nullopt;
  }
}

} // namespace isozyme
