//===- Releases.cpp - Blocks of memory that are released by one call ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several ways end by releasing something, the optimiser makes one call of these. The blocks
// of memory have nothing in common: a choice among them that is only released, or compared, joins
// nothing. In functions that are differentiated, Prepare/SplitReleases has undone it.
//
//   %p = phi ptr [%record, %a], [%integers, %b]      two nodes, both released
//   call void @free(ptr %p)
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace isozyme;

/// A choice of more than that, by way of others, joins what it chooses from.
static constexpr unsigned MaxChoices = 32;

static bool isChoiceOfPointers(const Value &V) {
  return isa<PHINode, SelectInst>(V) && V.getType()->isPointerTy();
}

bool GraphBuilder::isOnlyReleased(const Value &V) {
  if (IsDifferentiated || !isChoiceOfPointers(V))
    return false;
  auto [It, New] = OnlyReleased.try_emplace(&V, false);
  if (!New)
    return It->second;
  SmallSetVector<const Value *, 8> Choices;
  Choices.insert(&V);
  for (unsigned K = 0; K != Choices.size(); ++K)
    for (const User *U : Choices[K]->users()) {
      if (isa<ICmpInst>(U))
        continue;
      if (isChoiceOfPointers(*U) && Choices.size() < MaxChoices) {
        Choices.insert(U);
        continue;
      }
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || freedPointer(*Call, TLI) != Choices[K])
        return false;
    }
  return OnlyReleased[&V] = true;
}

SmallVector<PointerTarget, 4> GraphBuilder::targetsOfReleased(const Value &V) {
  SmallSetVector<const Value *, 8> Values;
  SmallVector<PointerTarget, 4> Targets;
  Values.insert(&V);
  for (unsigned K = 0; K != Values.size(); ++K)
    if (const Value *Of = Values[K]; isOnlyReleased(*Of))
      for (const Use &U : drop_begin(cast<Instruction>(Of)->operands(), isa<SelectInst>(Of)))
        Values.insert(U.get());
    else if (PointerTarget T = targetOf(Of); T.isValid())
      Targets.push_back(T);
  return Targets;
}
