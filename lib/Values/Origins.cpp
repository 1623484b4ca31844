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

/// The store that sets \p Variable, if it is set once and only read besides.
static const StoreInst *onlyStoreTo(const AllocaInst &Variable) {
  const StoreInst *Only = nullptr;
  for (const User *U : Variable.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getPointerOperand() == &Variable && !Only)
      Only = Store;
    else if (!isa<LoadInst, LifetimeIntrinsic>(U))
      return nullptr;
  }
  return Only;
}

const Value *throughVariable(const Value *V) {
  V = V->stripPointerCasts();
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const StoreInst *Store = Variable ? onlyStoreTo(*Variable) : nullptr;
  return Store ? Store->getValueOperand()->stripPointerCasts() : V;
}

bool allUsesOf(const Value &Object, function_ref<bool(const Use &)> Holds) {
  SmallVector<const Value *, 8> Work = {&Object};
  SmallPtrSet<const Value *, 8> Seen;
  auto Add = [&](const User *Address) {
    if (Seen.insert(Address).second)
      Work.push_back(Address);
  };
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const Use &U : V->uses()) {
      const User *By = U.getUser();
      auto *Store = dyn_cast<StoreInst>(By);
      auto *Variable = Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(By))
        Add(By);
      else if (Variable && Store->getValueOperand() == V && onlyStoreTo(*Variable) == Store)
        for (const User *Held : Variable->users()) {
          if (isa<LoadInst>(Held))
            Add(Held);
        }
      else if (!Holds(U))
        return false;
    }
  }
  return true;
}

} // namespace isozyme
