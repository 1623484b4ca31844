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
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// What is left of a number without constants that are added to it.
static const Value *withoutOffset(const Value *Number) {
  const Value *Rest;
  while (match(Number, m_Add(m_Value(Rest), m_ConstantInt())) ||
         match(Number, m_Sub(m_Value(Rest), m_ConstantInt())))
    Number = Rest;
  return Number;
}

/// Is \p Number an address, or none, such as that of the end of a vector that may be empty?
static bool isAddress(const Value *Number) {
  Number = withoutOffset(Number);
  auto *Phi = dyn_cast<PHINode>(Number);
  return Phi ? all_of(Phi->incoming_values(),
                      [](const Use &U) { return isa<PtrToIntInst>(U) || match(U.get(), m_Zero()); })
             : isa<PtrToIntInst>(Number);
}

/// Is an address taken as a number only to know how far it is from another one?
static bool isForDistances(const Instruction &Number) {
  return all_of(Number.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    if (isa<PHINode>(I) && !isa<PHINode>(Number))
      return isAddress(I) && isForDistances(*I);
    if (I->getOpcode() != Instruction::Sub && I->getOpcode() != Instruction::Add)
      return false;
    if (withoutOffset(I) != I)
      return isForDistances(*I);
    return I->getOpcode() == Instruction::Sub && isAddress(I->getOperand(0)) &&
           isAddress(I->getOperand(1));
  });
}

bool keepsToItself(const Use &U, const TargetLibraryInfo &TLI) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *S = dyn_cast<StoreInst>(I))
    return S->getValueOperand() != U.get();
  if (auto *Number = dyn_cast<PtrToIntInst>(I))
    return isForDistances(*Number);
  // A copy moves what is there, not where it is.
  if (isa<LoadInst, ICmpInst, MemTransferInst>(I) || (isa<MemSetInst>(I) && U.getOperandNo() == 0))
    return true;
  auto *Call = dyn_cast<CallBase>(I);
  return Call && freedPointer(*Call, TLI) == U.get();
}

bool isHiddenMemory(const Value &Object, const TargetLibraryInfo &TLI,
                    function_ref<bool(const Use &)> MayUse) {
  return (isa<AllocaInst>(Object) || isNoAliasCall(&Object)) &&
         staysInFunction(Object, TLI, MayUse);
}

bool staysInFunction(const Value &Address, const TargetLibraryInfo &TLI,
                     function_ref<bool(const Use &)> MayUse) {
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(&Address);
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
