//===- Choices.cpp - A value that iterations hand on or replace -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/Choices.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

SmallVector<Value *, 2> alternativesOf(const Instruction &V) {
  SmallVector<Value *, 2> All;
  if (isa<SelectInst, PHINode>(V))
    for (const Use &U : drop_begin(V.operands(), isa<SelectInst>(V)))
      All.push_back(U.get());
  return All;
}

namespace {

/// Follows what comes into the next iteration back to the value that came into this one.
class ChoiceWalk {
public:
  ChoiceWalk(const PHINode &Carried, const LoopInfo &LI)
      : Carried(Carried), L(LI.getLoopFor(Carried.getParent())), LI(LI) {}

  Choices run() {
    Value *Next = Carried.getIncomingValueForBlock(L->getLoopLatch());
    bool IsHandedOn = Next != &Carried && leadsBack(Next);
    return IsHandedOn && Seen.size() <= MostValues ? std::move(Found) : Choices();
  }

private:
  static constexpr unsigned MostValues = 32;

  bool isChoice(const Instruction &I) const {
    return LI.getLoopFor(I.getParent()) == L && I.getParent() != L->getHeader()
               ? isa<SelectInst, PHINode>(I)
               : L->getHeader() == I.getParent() && isa<SelectInst>(I);
  }

  bool leadsBack(Value *V) {
    if (V == &Carried)
      return true;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isChoice(*I) || Seen.size() > MostValues)
      return false;
    if (auto [At, IsNew] = Seen.insert({I, false}); !IsNew)
      return At->second;
    bool Leads = false;
    for (Value *From : alternativesOf(*I))
      Leads |= leadsBack(From);
    if (Leads)
      Found.insert(I);
    return Seen[I] = Leads;
  }

  const PHINode &Carried;
  const Loop *L;
  const LoopInfo &LI;
  DenseMap<const Instruction *, bool> Seen;
  Choices Found;
};

} // namespace

Choices choicesOf(const PHINode &Carried, const LoopInfo &LI) {
  return ChoiceWalk(Carried, LI).run();
}

} // namespace isozyme
