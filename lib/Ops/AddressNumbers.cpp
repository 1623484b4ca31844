//===- AddressNumbers.cpp - Numbers of addresses --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/AddressNumbers.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static bool staysNumber(const PtrToIntInst &Start) {
  SmallSetVector<const Instruction *, 8> Numbers;
  Numbers.insert(&Start);
  for (size_t Next = 0; Next < Numbers.size(); ++Next)
    for (const Use &U : Numbers[Next]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<ICmpInst, BranchInst, SwitchInst>(I))
        continue;
      if (isa<BinaryOperator, CastInst, FreezeInst, PHINode, SelectInst>(I) &&
          I->getType()->isIntOrIntVectorTy()) {
        Numbers.insert(I);
        continue;
      }
      auto *Call = dyn_cast<CallBase>(I);
      if (!Call || !Call->isArgOperand(&U) || !Call->use_empty() || !isKnownInactive(*Call))
        return false;
    }
  return true;
}

bool looksAtAddressOnly(const Use &Address) {
  const User *U = Address.getUser();
  if (auto *Number = dyn_cast<PtrToIntInst>(U))
    return staysNumber(*Number);
  auto *Call = dyn_cast<IntrinsicInst>(U);
  return isa<ICmpInst>(U) || (Call && Call->getIntrinsicID() == Intrinsic::objectsize);
}

} // namespace isozyme
