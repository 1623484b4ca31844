//===- LoopExtents.cpp - How often an inner loop runs, known before the outer one -===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++)        one array of n * m values is made before both
//     if (m > 0)                   loops, before the test of m > 0 has run
//       do … while (++j < m);
//
// The last value of the inner counter, m - 1, holds only where the inner loop is
// reached. Its extent, (m > 0 ? m : 0), can be computed ahead of it: the conditions
// on the way to the loop are computed there as well. Where one of them changes
// from one outer iteration to the next, it is left out, and there is an extent
// only if the count is never negative, whatever the condition says: by itself, or
// since the loop around, on the way to which all conditions are known, is entered.
//
// In: a loop, its nest, its trip count.  Out: the extent, or null. Adds code before
// the nest only.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A condition that holds, or does not, whenever a loop is reached.
struct Guard {
  Value *Condition;
  bool Holds;
  bool IsInside; ///< Of the loop around, which is then reached.
};

class ExtentFinder {
public:
  ExtentFinder(Loop &L, Loop &Nest, LoopFinders &With)
      : L(L), Nest(Nest), With(With), At(Nest.getLoopPreheader()->getTerminator()) {}
  Value *find(const SCEV *Count);

private:
  void collectGuards();
  void addGuard(Value *Condition, bool Holds, bool IsInside);
  void missGuard(bool IsInside);
  bool isNeverNegative(const SCEV *Count) const;
  Loop *passedLoop(BasicBlock *BB) const;
  Value *beforeNest(Value *V);
  Value *beforeNest(const Guard &G);

  Loop &L, &Nest;
  LoopFinders &With;
  Instruction *At;
  SmallVector<Guard, 4> Guards; ///< Innermost first.
  bool AllKnown = true;         ///< No condition on the way was left out.
  bool AroundKnown = true;      ///< None of those on the way to the loop around.
};

} // namespace

void ExtentFinder::missGuard(bool IsInside) {
  AllKnown = false;
  AroundKnown &= IsInside;
}

void ExtentFinder::addGuard(Value *Condition, bool Holds, bool IsInside) {
  Value *A, *B;
  if (Holds ? match(Condition,
                    PatternMatch::m_LogicalAnd(PatternMatch::m_Value(A), PatternMatch::m_Value(B)))
            : match(Condition, PatternMatch::m_LogicalOr(PatternMatch::m_Value(A),
                                                         PatternMatch::m_Value(B)))) {
    addGuard(B, Holds, IsInside);
    addGuard(A, Holds, IsInside);
    return;
  }
  Guards.push_back({Condition, Holds, IsInside});
}

/// The outermost loop around \p BB that is passed on the way to L, or null.
Loop *ExtentFinder::passedLoop(BasicBlock *BB) const {
  Loop *Passed = nullptr;
  for (Loop *In = With.LI.getLoopFor(BB); In && !In->contains(&L); In = In->getParentLoop())
    Passed = In;
  return Passed;
}

void ExtentFinder::collectGuards() {
  BasicBlock *BB = L.getLoopPreheader();
  while (BB != At->getParent()) {
    BasicBlock *Above = With.DT.getNode(BB)->getIDom()->getBlock();
    Instruction *End = Above->getTerminator();
    auto *Branch = dyn_cast<BranchInst>(End);
    bool IsInside = L.getParentLoop()->contains(Above);
    if (Loop *Passed = passedLoop(Above)) {
      // It is left in the end. With several ways out it may be left for elsewhere.
      if (!Passed->getUniqueExitBlock())
        missGuard(IsInside);
      BB = Passed->getHeader();
      continue;
    }
    if (Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1)) {
      for (unsigned Way = 0; Way < 2; ++Way)
        if (With.DT.dominates(BasicBlockEdge(Above, Branch->getSuccessor(Way)), BB))
          addGuard(Branch->getCondition(), Way == 0, IsInside);
    } else if (End->getNumSuccessors() > 1) {
      missGuard(IsInside);
    }
    BB = Above;
  }
}

Value *ExtentFinder::beforeNest(Value *V) {
  if (Nest.isLoopInvariant(V) && (!isa<Instruction>(V) || With.DT.dominates(V, At)))
    return V;
  if (!V->getType()->isIntegerTy() || !With.SE.isSCEVable(V->getType()))
    return nullptr;
  const SCEV *S = With.SE.getSCEV(V);
  if (!With.SE.isLoopInvariant(S, &Nest) || S->getExpressionSize() > MaxExpressionSize ||
      !With.Expander.isSafeToExpandAt(S, At))
    return nullptr;
  return With.Expander.expandCodeFor(S, S->getType(), At);
}

Value *ExtentFinder::beforeNest(const Guard &G) {
  IRBuilder<> B(At);
  if (Value *Whole = Nest.isLoopInvariant(G.Condition) ? beforeNest(G.Condition) : nullptr)
    return G.Holds ? Whole : B.CreateNot(Whole, "unless");
  auto *Compare = dyn_cast<ICmpInst>(G.Condition);
  if (!Compare)
    return nullptr;
  Value *Left = beforeNest(Compare->getOperand(0));
  Value *Right = Left ? beforeNest(Compare->getOperand(1)) : nullptr;
  if (!Right)
    return nullptr;
  auto Predicate = G.Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  return B.CreateICmp(Predicate, Left, Right, "reached");
}

/// Is it none that was negative before it was extended?
bool ExtentFinder::isNeverNegative(const SCEV *Count) const {
  while (auto *Extended = dyn_cast<SCEVZeroExtendExpr>(Count))
    Count = Extended->getOperand();
  if (With.SE.isKnownNonNegative(Count))
    return true;
  const SCEV *Inside = With.SE.applyLoopGuards(Count, L.getParentLoop());
  return AroundKnown && With.SE.isKnownNonNegative(Inside);
}

Value *ExtentFinder::find(const SCEV *Count) {
  Type *I64 = Type::getInt64Ty(At->getContext());
  if (!With.Expander.isSafeToExpandAt(Count, At))
    return nullptr;
  collectGuards();
  // Outermost first: an inner one may be poison where an outer one does not hold.
  Value *Reached = nullptr;
  IRBuilder<> B(At);
  for (const Guard &G : reverse(Guards)) {
    Value *Here = beforeNest(G);
    if (!Here)
      missGuard(G.IsInside);
    else
      Reached = Reached ? B.CreateLogicalAnd(Reached, Here, "reached") : Here;
  }
  if (!AllKnown && !isNeverNegative(Count))
    return nullptr;
  const SCEV *Wide = With.SE.getNoopOrZeroExtend(Count, I64);
  Value *Last = With.Expander.expandCodeFor(Wide, I64, At);
  Value *Trips = B.CreateAdd(Last, B.getInt64(1), "extent");
  return Reached ? B.CreateSelect(Reached, Trips, B.getInt64(0), "extent") : Trips;
}

Value *expandExtent(Loop &L, Loop &Nest, const SCEV *Count, LoopFinders &With) {
  return ExtentFinder(L, Nest, With).find(Count);
}

} // namespace isozyme
