//===- Origins.cpp - Where a value comes from -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

bool isChoice(const Value &V) { return isa<PHINode, SelectInst, FreezeInst>(V); }

Operands choicesOf(const Value *V) {
  if (!isChoice(*V))
    return {};
  return Operands(drop_begin(cast<Instruction>(V)->operand_values(), isa<SelectInst>(V)));
}

bool comesFrom(const Value *V, function_ref<Operands(const Value *)> MadeOf,
               function_ref<bool(const Value *)> IsIt, unsigned MaxSteps) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(V);
  for (unsigned I = 0; I < Work.size() && I < MaxSteps; ++I) {
    if (IsIt(Work[I]))
      return true;
    Work.insert_range(MadeOf(Work[I]));
  }
  return false;
}

bool mayBeCopyOf(const Value *V, function_ref<bool(const Value *)> IsIt) {
  return comesFrom(V, choicesOf, IsIt);
}

const Value *throughVariable(const Value *V) {
  V = V->stripPointerCasts();
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const Value *Stored = nullptr;
  if (!Variable)
    return V;
  for (const User *U : Variable->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getPointerOperand() == Variable && !Stored)
      Stored = Store->getValueOperand();
    else if (!isa<LoadInst, LifetimeIntrinsic>(U))
      return V;
  }
  return Stored ? Stored->stripPointerCasts() : V;
}

bool allUsesOf(const Value &Object, function_ref<bool(const Use &)> Holds) {
  SmallVector<const Value *, 8> Work = {&Object};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      const User *By = U.getUser();
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(By)) {
        if (Seen.insert(By).second)
          Work.push_back(By);
      } else if (!Holds(U)) {
        return false;
      }
    }
  return true;
}

} // namespace isozyme
