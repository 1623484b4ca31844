//===- Mirror.cpp - Instructions that are repeated on shadows -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Mirror.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

bool isMirroredOperand(const Instruction &I, unsigned Number) {
  switch (I.getOpcode()) {
  case Instruction::Select:
    return Number != 0;
  case Instruction::InsertElement:
    return Number != 2;
  case Instruction::InsertValue:
  case Instruction::ShuffleVector:
    return true;
  case Instruction::Call:
    switch (cast<CallInst>(I).getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_expandload:
      return Number == 0 || Number == 2;
    default:
      return Number == 0;
    }
  default:
    return Number == 0;
  }
}

static bool isMirroredIntrinsic(const Instruction &I) {
  if (std::optional<MaskedAccess> Masked = maskedAccess(I))
    return Masked->IsLoad;
  auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && passesPointerOn(II->getIntrinsicID());
}

bool isMirrored(const Instruction &I) {
  return isa<GetElementPtrInst, CastInst, SelectInst, FreezeInst, LoadInst, ExtractValueInst,
             InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I) ||
         isMirroredIntrinsic(I) || exchangedBy(I) != Intrinsic::not_intrinsic;
}

} // namespace isozyme
