//===- StoredValues.cpp - Loads of what was just stored -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The store's loop N and the load are in the same loop C, and N comes first. That the
// load of the k-th element sees the k-th iteration of N takes four proofs:
//
//   N is on each way to the load in an iteration of C,       dominance
//   its k-th iteration took place and stored,                trip counts, dominance
//   no other iteration of N stores to the same place,        a constant step
//   nor does anything else before the load.                  MemoryAvailability
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/StoredValues.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// When more stores than this go to one object, only the last ones are looked at.
constexpr size_t MaxStores = 8;
/// A larger step could come round to the same address.
constexpr uint64_t MaxStep = uint64_t(1) << 31;

StoredValues::StoredValues(const PreparedFunction &P, const MemoryAvailability &Memory)
    : P(P), Memory(Memory) {
  for (Instruction &I : instructions(P.function()))
    if (auto *S = dyn_cast<StoreInst>(&I); S && S->isSimple() &&
                                           P.loops().getLoopFor(S->getParent()) &&
                                           P.reachesReturn(S->getParent())) {
      ScalarEvolution &SE = P.scalarEvolution();
      Stores[SE.getPointerBase(SE.getSCEV(S->getPointerOperand()))].push_back(S);
    }
}

std::optional<StoredValue> StoredValues::of(const LoadInst &L) const {
  if (!L.isSimple() || !P.loops().getLoopFor(L.getParent()))
    return std::nullopt;
  ScalarEvolution &SE = P.scalarEvolution();
  const SCEV *At = SE.getSCEV(const_cast<Value *>(L.getPointerOperand()));
  auto Found = Stores.find(SE.getPointerBase(At));
  if (Found == Stores.end())
    return std::nullopt;
  ArrayRef<StoreInst *> Candidates = ArrayRef(Found->second).take_back(MaxStores);
  for (StoreInst *S : reverse(Candidates))
    if (S->getValueOperand()->getType() == L.getType())
      if (std::optional<StoredValue> V = match(*S, L, At))
        return V;
  return std::nullopt;
}

/// The innermost loop around both.
static const Loop *commonLoop(const LoopInfo &LI, const Instruction &A, const Instruction &B) {
  const Loop *L = LI.getLoopFor(A.getParent());
  while (L && !L->contains(&B))
    L = L->getParentLoop();
  return L;
}

/// Does \p Address mean the same at two places in one iteration of \p Common: has it no
/// counter of a loop that is not around it?
static bool isSettledIn(const SCEV *Address, const Loop *Common) {
  return !SCEVExprContains(Address, [&](const SCEV *Part) {
    auto *Counted = dyn_cast<SCEVAddRecExpr>(Part);
    return Counted && !(Common && Counted->getLoop()->contains(Common));
  });
}

std::optional<StoredValue> StoredValues::match(StoreInst &S, const LoadInst &L,
                                               const SCEV *At) const {
  const Loop *Common = commonLoop(P.loops(), S, L);
  if (P.loops().getLoopFor(S.getParent()) != Common)
    return matchLoops(S, L, At);
  if (P.scalarEvolution().getSCEV(S.getPointerOperand()) != At || !isSettledIn(At, Common) ||
      !P.dominators().dominates(&S, &L) || Memory.mayChangeBetween(S, L, Common))
    return std::nullopt;
  return StoredValue{&S};
}

/// A counted loop that stores in each of its iterations.
static bool storesInEach(const PreparedFunction &P, const Loop *N, const StoreInst &S) {
  const BasicBlock *Exiting = N->getExitingBlock();
  return P.canonical(N).LastIV && Exiting && P.dominators().dominates(S.getParent(), Exiting);
}

static const SCEVAddRecExpr *steps(const SCEV *Address) {
  auto *Counted = dyn_cast<SCEVAddRecExpr>(Address);
  return Counted && Counted->isAffine() ? Counted : nullptr;
}

std::optional<StoredValue> StoredValues::matchLoops(StoreInst &S, const LoadInst &L,
                                                    const SCEV *At) const {
  ScalarEvolution &SE = P.scalarEvolution();
  const Loop *N = P.loops().getLoopFor(S.getParent()), *Common = commonLoop(P.loops(), S, L);
  const SCEVAddRecExpr *Written = steps(SE.getSCEV(S.getPointerOperand())), *Read = steps(At);
  if (!Written || !Read || Written->getLoop() != N || N->getParentLoop() != Common)
    return std::nullopt;
  const Loop *M = Read->getLoop();
  auto *Step = dyn_cast<SCEVConstant>(Written->getStepRecurrence(SE));
  if (!Step || Read->getStepRecurrence(SE) != Step || !M->contains(&L) || M->contains(N) ||
      !isSettledIn(Written->getStart(), Common) || !isSettledIn(Read->getStart(), Common))
    return std::nullopt;
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(L.getType());
  if (Step->getAPInt().abs().ult(Bytes) || Step->getAPInt().abs().ugt(MaxStep))
    return std::nullopt;

  auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Read->getStart(), Written->getStart()));
  if (!Apart || Apart->getAPInt().srem(Step->getAPInt()) != 0)
    return std::nullopt;
  int64_t Shift = Apart->getAPInt().sdiv(Step->getAPInt()).getSExtValue();
  Value *LastRead = P.canonical(M).LastIV;
  if (!LastRead || !storesInEach(P, N, S) || Shift < 0 ||
      !P.dominators().dominates(N->getHeader(), L.getParent()))
    return std::nullopt;
  auto *Beyond = dyn_cast<SCEVConstant>(
      SE.getMinusSCEV(SE.getSCEV(P.canonical(N).LastIV), SE.getSCEV(LastRead)));
  if (!Beyond || Beyond->getAPInt().slt(Shift) || Memory.mayChangeBetween(S, L, Common))
    return std::nullopt;
  return StoredValue{&S, N, M, Shift};
}

} // namespace isozyme
