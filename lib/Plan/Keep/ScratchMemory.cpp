//===- ScratchMemory.cpp - What one iteration writes and reads ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load finds what its iteration has written if a loop N stores to each of its elements
// in front of it, in the same iteration of the loop around both:
//
//   for (k = 0..last) t[k] = ...;          N: steps of one element, a store in each iteration
//   for (i ...) for (j ...) use(t[a(i, j)])   t[0] <= the least address, the largest <= t[last]
//
//===----------------------------------------------------------------------===//
#include "ScratchMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// The block or local that \p Ptr leads to; null if that is not one.
static const Value *objectOf(const Value *Ptr) {
  const Value *Object = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
  return isa<AllocaInst>(Object) || isNoAliasCall(Object) ? Object : nullptr;
}

/// Is it read in the loop only? Others may write there, or release it.
bool ScratchMemory::isPrivate(const Value *Object) const {
  if (P.loops().getLoopFor(cast<Instruction>(Object)->getParent()))
    return false;
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(Object);
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (const Use &U : Addresses[Next]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I)) {
        Addresses.insert(I);
        continue;
      }
      auto *S = dyn_cast<StoreInst>(I);
      if ((isa<LoadInst>(I) && L.contains(I)) || (S && S->getValueOperand() != U.get()) ||
          (isa<MemSetInst>(I) && U.getOperandNo() == 0))
        continue;
      auto *Call = dyn_cast<CallBase>(I);
      if (Call && !L.contains(I) && freedPointer(*Call, P.libraryInfo()) == Object)
        continue;
      return false;
    }
  return true;
}

bool ScratchMemory::holds(const Value *Ptr) {
  const Value *Object = objectOf(Ptr);
  if (!Object)
    return false;
  auto [It, New] = Private.insert({Object, false});
  if (New)
    It->second = isPrivate(Object);
  return It->second;
}

/// \p Address in the first or last iterations of the loops around \p Load inside \p Within;
/// null where it does not grow with them.
const SCEV *ScratchMemory::extreme(const SCEV *Address, const Loop *Within, const LoadInst &Load,
                                   bool Last) const {
  ScalarEvolution &SE = P.scalarEvolution();
  for (const Loop *M = P.loops().getLoopFor(Load.getParent()); M != Within;
       M = M->getParentLoop()) {
    if (SE.isLoopInvariant(Address, M))
      continue;
    auto *Counted = dyn_cast<SCEVAddRecExpr>(Address);
    if (!Counted || Counted->getLoop() != M || !Counted->isAffine() ||
        !SE.isKnownNonNegative(Counted->getStepRecurrence(SE)))
      return nullptr;
    if (!Last) {
      Address = Counted->getStart();
      continue;
    }
    Value *Count = P.canonical(M).LastIV;
    if (!Count)
      return nullptr;
    Address = Counted->evaluateAtIteration(SE.getSCEV(Count), SE);
    if (isa<SCEVCouldNotCompute>(Address))
      return nullptr;
  }
  return Address;
}

/// Is \p From never behind \p To? Addresses in different memory have no distance.
static bool isInOrder(const SCEV *From, const SCEV *To, ScalarEvolution &SE) {
  if (isa<SCEVCouldNotCompute>(From) || isa<SCEVCouldNotCompute>(To))
    return false;
  const SCEV *Distance = SE.getMinusSCEV(To, From);
  return !isa<SCEVCouldNotCompute>(Distance) && SE.isKnownNonNegative(Distance);
}

bool ScratchMemory::covers(StoreInst &S, LoadInst &Load) const {
  ScalarEvolution &SE = P.scalarEvolution();
  const Loop *N = P.loops().getLoopFor(S.getParent());
  const Loop *Around = N == &L ? nullptr : N->getParentLoop();
  const BasicBlock *Exiting = N->getExitingBlock();
  Value *LastIV = P.canonical(N).LastIV;
  if (!Around || N->contains(&Load) || !Around->contains(&Load) || !LastIV || !Exiting ||
      !P.dominators().dominates(S.getParent(), Exiting) ||
      !P.dominators().dominates(N->getHeader(), Load.getParent()))
    return false;
  auto *Written = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(S.getPointerOperand()));
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(S.getValueOperand()->getType());
  if (!Written || Written->getLoop() != N || !Written->isAffine() ||
      S.getDataLayout().getTypeStoreSize(Load.getType()) != Bytes)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Written->getStepRecurrence(SE));
  if (!Step || Step->getAPInt() != Bytes)
    return false;
  const SCEV *Read = SE.getSCEV(Load.getPointerOperand()), *First = Written->getStart();
  const SCEV *Least = extreme(Read, Around, Load, false), *Most = extreme(Read, Around, Load, true);
  if (!Least || !Most || !isInOrder(First, Least, SE))
    return false;
  if (Most == First) // The first iteration takes place wherever the loop is reached.
    return true;
  const SCEV *End = Written->evaluateAtIteration(SE.getSCEV(LastIV), SE);
  return isInOrder(Most, End, SE);
}

bool ScratchMemory::isWrittenBefore(LoadInst &Load) {
  if (std::optional<StoredValue> V = Stored.of(Load); V && L.contains(V->Store))
    return true;
  const Value *Object = objectOf(Load.getPointerOperand());
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (S && objectOf(S->getPointerOperand()) == Object && covers(*S, Load))
        return true;
    }
  return false;
}

} // namespace isozyme
