//===- AddressArithmetic.cpp - Integers that are addresses ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/AddressArithmetic.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

bool isAddressArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Freeze:
  case Instruction::Sub:
  case Instruction::Add:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

bool becomesPointer(const Value &V) {
  SmallVector<const Value *, 8> Work = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa_and_nonnull<IntToPtrInst>(I))
        return true;
      if (I && (isAddressArithmetic(*I) || isa<PHINode, SelectInst>(I)) && Seen.insert(I).second)
        Work.push_back(I);
    }
  return false;
}

} // namespace isozyme
