//===- VaryingLoops.cpp - Loops that a value changes with -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows what a value is computed from, the ways to its phis and the numbers of
// iterations included, up to loop counters and to what is computed before the
// outermost loop. Memory is the same throughout a loop that does not write there.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/VaryingLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {

/// What is computed from more than this is taken to change with all loops.
constexpr size_t MaxSources = 64;

class Sources {
public:
  Sources(const PreparedFunction &P, const Instruction &I)
      : P(P), Scope(P.loops().getLoopFor(I.getParent())), All(Scope->getOutermostLoop()) {
    Varying.insert(Scope);
    Open.insert(&I);
  }

  SmallPtrSet<const Loop *, 4> run(ChangeQuery Changes) {
    bool Followed = true;
    for (size_t Next = 0; Next < Open.size() && Followed; ++Next)
      Followed = Open.size() <= MaxSources && follow(*Open[Next]);
    for (const Loop *L = Scope; L; L = L->getParentLoop())
      if (!Followed || any_of(Loads, [&](const LoadInst *Read) {
            return !Varying.contains(L) && L->contains(Read) && Changes(*Read, *L);
          }))
        Varying.insert(L);
    return Varying;
  }

private:
  bool add(const Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && All->contains(I))
      Open.insert(I);
    return !isa<UndefValue>(V);
  }
  bool follow(const Instruction &I);
  bool followPhi(const PHINode &Phi);

  const PreparedFunction &P;
  const Loop *Scope, *All;
  SmallPtrSet<const Loop *, 4> Varying;
  SetVector<const Instruction *> Open;
  SmallVector<const LoadInst *, 4> Loads;
};

} // namespace

bool Sources::followPhi(const PHINode &Phi) {
  const BasicBlock *BB = Phi.getParent();
  const Loop *L = P.loops().getLoopFor(BB);
  if (L->getHeader() == BB) {
    if (L->contains(Scope))
      Varying.insert(L);
    else if (!P.canonical(L).LastIV || !add(P.canonical(L).LastIV))
      return false; // What is used behind a loop comes from its last iteration.
    if (P.canonical(L).IV == &Phi)
      return true;
  } else if (P.predecessorsOf(BB).size() > 1) {
    // A value of ways that is a phi itself is decided by control, and may change in each iteration.
    const Value *From = P.cameFrom(BB);
    if (!From || isa<PHINode>(From) || !add(From))
      return false;
  }
  for (const Value *V : Phi.incoming_values())
    if (!add(V))
      return false;
  for (const BasicBlock *Pred : P.predecessorsOf(BB))
    for (const Loop *Left = P.loops().getLoopFor(Pred); Left && !Left->contains(BB);
         Left = Left->getParentLoop())
      if (!P.canonical(Left).LastIV || !add(P.canonical(Left).LastIV))
        return false;
  return true;
}

bool Sources::follow(const Instruction &I) {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return followPhi(*Phi);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Loads.push_back(Load);
    return Load->isSimple() && add(Load->getPointerOperand());
  }
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(I) &&
      !(II && II->doesNotAccessMemory() && !II->isConvergent()))
    return false;
  return all_of(I.operands(), [&](const Use &U) { return add(U.get()); });
}

SmallPtrSet<const Loop *, 4> varyingLoops(const PreparedFunction &P, const Instruction &I,
                                          ChangeQuery Changes) {
  return Sources(P, I).run(Changes);
}

} // namespace isozyme
