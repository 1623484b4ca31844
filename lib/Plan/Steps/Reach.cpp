//===- Reach.cpp - How accesses reach shadow memory -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reach.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// Can an access be made in pages: to one number or address that lies in one page?
static bool fitsPage(const AccessShape &Access) {
  const Type &T = Access.T;
  if (T.isPointerTy() && T.getPointerAddressSpace())
    return false;
  uint64_t Size =
      T.isSized() ? Access.DL.getTypeStoreSize(const_cast<Type *>(&T)).getKnownMinValue() : 0;
  return T.isSingleValueType() && !T.isVectorTy() && Size <= 8 && Access.Alignment.value() >= Size;
}

void setReach(Step &S, ShadowCheck Check, const AccessShape &Access, bool Stops) {
  switch (Check) {
  case ShadowCheck::None:
    S.Shadow = ShadowReach::Direct;
    return;
  case ShadowCheck::Skip:
    S.Shadow = ShadowReach::Compared;
    S.Why = StepReason::Declared;
    return;
  case ShadowCheck::Page:
    if (fitsPage(Access)) {
      S.Shadow = ShadowReach::Paged;
      S.Why = StepReason::Undeclared;
      return;
    }
    S.Shadow = Stops ? ShadowReach::Stopped : ShadowReach::Compared;
    S.Why = StepReason::TooLarge;
  }
}

ShadowReach bulkReach(ShadowCheck Check) {
  return Check == ShadowCheck::None   ? ShadowReach::Direct
         : Check == ShadowCheck::Page ? ShadowReach::Paged
                                      : ShadowReach::Compared;
}

const Value *adjointAddress(const Instruction &I, const Step &S) {
  switch (S.Adjoint) {
  case AdjointStep::Load:
  case AdjointStep::Store:
    return getLoadStorePointerOperand(&I);
  case AdjointStep::MaskedLoad:
  case AdjointStep::MaskedStore:
    return maskedAccess(I)->Address;
  case AdjointStep::Extremum:
    return cast<AtomicRMWInst>(I).getPointerOperand();
  case AdjointStep::Copy:
    return cast<MemTransferInst>(I).getRawSource();
  default:
    return nullptr;
  }
}

} // namespace isozyme
