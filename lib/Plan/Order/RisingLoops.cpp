//===- RisingLoops.cpp - Reverse loops that count up -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold, so that nobody sees in which order iterations are reversed:
//
//   no iteration hands an adjoint to      no active phi in the header, no active value that is
//   another one, or gets one from behind  used behind the loop
//   what is taken from a shadow is taken  each store goes to other bytes in each iteration, and
//   by one iteration                      to other objects than the other stores
//   nobody adds to what is taken          the loads read other objects
//   what is loaded again was not          each iteration loads and puts back bytes of its own
//   overwritten, or that is undone
//   the tape is read by counters          and nothing of it is made or released in the loop
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/RisingLoops.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace isozyme {

/// Pairs of them are compared.
constexpr unsigned MostStores = 8;

void RisingLoops::print(raw_ostream &OS) const {
  for (const Loop *L : Loops)
    OS << "    loop " << operandName(L->getHeader())
       << "  counts up in the reverse sweep, too  (its iterations are independent)\n";
}

const char *whyNotPlain(const DerivativePlan &Plan, const Instruction &I) {
  const Step &Todo = Plan.Steps.at(I);
  switch (Todo.Adjoint) {
  case AdjointStep::Nothing:
  case AdjointStep::HandOn:
  case AdjointStep::Rule:
  case AdjointStep::Pass:
  case AdjointStep::Choose:
  case AdjointStep::PutBack:
    break;
  case AdjointStep::Load:
  case AdjointStep::Store:
    if (Todo.Shadow != ShadowReach::Direct || isAtomic(Todo.Sum) ||
        Todo.Why == StepReason::OtherThreads)
      return "that reaches a shadow which others may reach";
    break;
  default:
    return "that does more than loads, stores and arithmetic";
  }
  if (auto *S = dyn_cast<StoreInst>(&I); S && (Todo.Waits || Plan.Late.contains(*S)))
    return "with a store that waits";
  return nullptr;
}

static const char *whyOrdered(const DerivativePlan &Plan, const Instruction &I, const Loop &L) {
  if (const char *Why = whyNotPlain(Plan, I))
    return Why;
  if (!Plan.Steps.of(&I).Adjoint)
    return nullptr;
  if (isa<PHINode>(I) && I.getParent() == L.getHeader())
    return "whose iterations hand on an adjoint";
  if (any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); }))
    return "with an active value that is used behind it";
  return nullptr;
}

bool makesTape(const DerivativePlan &Plan, const Loop &L) {
  return any_of(Plan.Tape.regions(), [&](const TapeRegion &R) {
    return R.Shape != TapeShape::Scalar &&
           ((L.contains(R.outermost()) && R.outermost() != &L) ||
            (R.Shape == TapeShape::Growable && is_contained(R.Group, &L)));
  });
}

const char *whyNotRising(const DerivativePlan &Plan, const Loop &L) {
  if (!L.getLoopPreheader() || !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch())
    return "that may end in the middle of an iteration";
  if (!Plan.P.canonical(&L).LastIV)
    return "whose last iteration is known afterwards only";
  if (Plan.Chosen.find(&L))
    return "of which one iteration is reversed";
  if (any_of(Plan.Fused.loops(),
             [&](const FusedLoop &F) { return L.contains(F.L) || F.L->contains(&L); }))
    return "with or in a loop that runs in the reverse sweep only";
  if (makesTape(Plan, L))
    return "whose iterations make parts of the tape";
  for (const BasicBlock *BB : L.blocks()) {
    if (!Plan.CFG->contains(BB))
      return "with a way out that does not return";
    for (const Instruction &I : *BB)
      if (const char *Why = whyOrdered(Plan, I, L))
        return Why;
  }
  return nullptr;
}

/// Loads and stores of \p L whose adjoints are in memory.
static SmallVector<const Instruction *, 8> activeAccesses(const DerivativePlan &Plan, const Loop &L,
                                                          AdjointStep Kind) {
  SmallVector<const Instruction *, 8> Found;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (Plan.Steps.at(I).Adjoint == Kind)
        Found.push_back(&I);
  return Found;
}

/// May the shadow that \p Store takes from be one that \p Other adds to or takes from, in another
/// iteration of \p L?
static bool mayMeet(const MemoryAvailability &Memory, const Loop &L, const Instruction &Store,
                    const Instruction &Other) {
  if (&Store == &Other)
    return !Memory.areApartIn(Store, Other, L);
  const Value *Taken = getUnderlyingObject(getLoadStorePointerOperand(&Store), /*MaxLookup=*/0);
  const Value *Used = getUnderlyingObject(getLoadStorePointerOperand(&Other), /*MaxLookup=*/0);
  return !L.isLoopInvariant(Taken) || !L.isLoopInvariant(Used) || !Memory.areDifferent(Taken, Used);
}

/// Is something read again in \p L in front of a store that is undone, or behind it, in another
/// iteration?
static bool readsUndone(const DerivativePlan &Plan, const Loop &L,
                        const MemoryAvailability &Memory) {
  for (auto &[N, D] : Plan.Keep) {
    auto *S = dyn_cast<StoreInst>(N.V);
    if (!S || N.P != Part::Overwritten || !L.contains(S))
      continue;
    for (auto &[Read, How] : Plan.Keep)
      if (auto *Load = dyn_cast<LoadInst>(Read.V);
          Load && How.K == KeepDecision::Reload && L.contains(Load) &&
          mayMeet(Memory, L, *S, *Load) && !Memory.areApartIn(*S, *Load, L))
        return true;
  }
  return false;
}

bool mayRise(const DerivativePlan &Plan, const Loop &L, const MemoryAvailability &Memory) {
  if (whyNotRising(Plan, L) || readsUndone(Plan, L, Memory))
    return false;
  SmallVector<const Instruction *, 8> Stores = activeAccesses(Plan, L, AdjointStep::Store),
                                      Loads = activeAccesses(Plan, L, AdjointStep::Load);
  if (Stores.size() > MostStores)
    return false;
  return none_of(Stores, [&](const Instruction *S) {
    auto meets = [&](const Instruction *Other) { return mayMeet(Memory, L, *S, *Other); };
    return any_of(Stores, meets) || any_of(Loads, meets);
  });
}

/// Do the stores of \p L go to other places in each iteration of \p Around, as rows do?
static bool movesIn(const DerivativePlan &Plan, const Loop &L, const Loop &Around) {
  ScalarEvolution &SE = Plan.P.scalarEvolution();
  auto changes = [&](const SCEV *S) {
    if (auto *Moving = dyn_cast<SCEVAddRecExpr>(S))
      return Moving->getLoop() == &Around;
    auto *Leaf = dyn_cast<SCEVUnknown>(S);
    return Leaf && !Around.isLoopInvariant(Leaf->getValue());
  };
  return any_of(activeAccesses(Plan, L, AdjointStep::Store), [&](const Instruction *S) {
    const SCEV *At = SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(S)));
    return SCEVExprContains(SE.removePointerBase(At), changes);
  });
}

SmallVector<const Loop *, 4> findRisingNest(const DerivativePlan &Plan, const Loop &L,
                                            const MemoryAvailability &Memory) {
  SmallVector<const Loop *, 4> Nest;
  const Loop *Next = &L;
  for (; Next && mayRise(Plan, *Next, Memory); Next = Next->getParentLoop())
    Nest.push_back(Next);
  // Rows that are read upwards, but come from the last to the first, are slower than either.
  if (Nest.size() == 1 && Next && movesIn(Plan, L, *Next))
    Nest.clear();
  return Nest;
}

} // namespace isozyme
