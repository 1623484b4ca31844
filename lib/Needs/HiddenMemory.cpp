//===- HiddenMemory.cpp - Memory that only its function knows -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// Is an address taken as a number only to know how far it is from another one?
static bool isForDistances(const PtrToIntInst &Number) {
  return all_of(Number.users(), [](const User *U) {
    auto *Difference = dyn_cast<BinaryOperator>(U);
    return Difference && Difference->getOpcode() == Instruction::Sub &&
           isa<PtrToIntInst>(Difference->getOperand(0)) &&
           isa<PtrToIntInst>(Difference->getOperand(1));
  });
}

/// Does \p U, of an address, access memory there, compare it, or release it?
static bool keepsToItself(const Use &U, const TargetLibraryInfo &TLI) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *S = dyn_cast<StoreInst>(I))
    return S->getValueOperand() != U.get();
  if (auto *Number = dyn_cast<PtrToIntInst>(I))
    return isForDistances(*Number);
  if (isa<LoadInst, ICmpInst>(I) || (isa<MemSetInst>(I) && U.getOperandNo() == 0))
    return true;
  auto *Call = dyn_cast<CallBase>(I);
  return Call && freedPointer(*Call, TLI) == U.get();
}

bool isHiddenMemory(const Value &Object, const TargetLibraryInfo &TLI,
                    function_ref<bool(const Use &)> MayUse) {
  if (!isa<AllocaInst>(Object) && !isNoAliasCall(&Object))
    return false;
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(&Object);
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (const Use &U : Addresses[Next]->uses()) {
      if (isa<GetElementPtrInst, PHINode>(U.getUser()))
        Addresses.insert(U.getUser());
      else if (!keepsToItself(U, TLI) || !MayUse(U))
        return false;
    }
  return true;
}

} // namespace isozyme
