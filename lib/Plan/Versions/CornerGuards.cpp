//===- CornerGuards.cpp - Whether an iteration gets somewhere -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the function reads in any case may be read before it runs. A read in a loop is no such case:
// there may be no iteration, or a branch around it. This finds the branches on the way to the read,
// in one iteration of the loops around it, whose conditions can be computed at entry.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/RowTables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Goes from a block back to the entry, by dominators.
class GuardFinder {
public:
  GuardFinder(const PreparedFunction &P, const LoopCorner &Corner) : P(P), Corner(Corner) {}
  bool find(const BasicBlock *To);
  SmallVector<EntryCompare, 4> Guards;

private:
  const Loop *loopBefore(const BasicBlock *Branching, const BasicBlock *To) const;
  bool isPassed(const BasicBlock *Branching, const BasicBlock *To);
  bool cannotMiss(const BasicBlock *From, const BasicBlock *To) const;
  bool require(const BranchInst &Branch, bool Holds);

  const PreparedFunction &P;
  const LoopCorner &Corner;
};

} // namespace

/// \p Branch goes to its first successor, or (\p Holds is false) to its second one.
bool GuardFinder::require(const BranchInst &Branch, bool Holds) {
  auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  const Loop *L = P.loops().getLoopFor(Branch.getParent());
  if (!Compare || !P.scalarEvolution().isSCEVable(Compare->getOperand(0)->getType()))
    return false;
  auto atCorner = [&](Value *V) -> const SCEV * {
    const SCEV *S = P.scalarEvolution().getSCEV(V);
    if (V->getType()->isPointerTy())
      S = P.scalarEvolution().getPtrToIntExpr(S, Type::getInt64Ty(V->getContext()));
    return isa<SCEVCouldNotCompute>(S) ? nullptr : valueAtCorner(P, S, L, Corner);
  };
  const SCEV *Left = atCorner(Compare->getOperand(0)), *Right = atCorner(Compare->getOperand(1));
  if (!Left || !Right)
    return false;
  CmpInst::Predicate Is = Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  EntryCompare Guard = {Is, Left, Right};
  if (!is_contained(Guards, Guard))
    Guards.push_back(Guard);
  return true;
}

/// Does each way from \p From, to the end of this iteration of its loop, lead by \p To?
bool GuardFinder::cannotMiss(const BasicBlock *From, const BasicBlock *To) const {
  const Loop *L = P.loops().getLoopFor(From);
  SmallSetVector<const BasicBlock *, 16> Reached;
  Reached.insert_range(successors(From));
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    const BasicBlock *BB = Reached[Next];
    if (BB == To)
      continue;
    if (L ? BB == L->getHeader() || !L->contains(BB) : succ_empty(BB))
      return false;
    Reached.insert_range(successors(BB));
  }
  return true;
}

/// Does control come from \p Branching to \p To, which it dominates, once the Guards hold?
bool GuardFinder::isPassed(const BasicBlock *Branching, const BasicBlock *To) {
  if (cannotMiss(Branching, To))
    return true;
  auto *Branch = dyn_cast<BranchInst>(Branching->getTerminator());
  for (unsigned Way : {0, 1})
    if (Branch && Branch->isConditional() &&
        P.dominators().dominates(BasicBlockEdge(Branching, Branch->getSuccessor(Way)), To))
      return require(*Branch, Way == 0);
  return false;
}

/// The outermost loop around \p Branching that is over when control comes to \p To.
const Loop *GuardFinder::loopBefore(const BasicBlock *Branching, const BasicBlock *To) const {
  const Loop *Over = nullptr;
  for (const Loop *L = P.loops().getLoopFor(Branching); L && !L->contains(To);
       L = L->getParentLoop())
    Over = L;
  return Over;
}

bool GuardFinder::find(const BasicBlock *To) {
  const DominatorTree &Dominators = P.dominators();
  while (const DomTreeNode *Above = Dominators.getNode(To)->getIDom()) {
    const BasicBlock *Branching = Above->getBlock();
    const Loop *Over = loopBefore(Branching, To);
    if (Over ? !Over->getUniqueExitBlock() : !isPassed(Branching, To))
      return false;
    To = Over ? Over->getHeader() : Branching;
  }
  return true;
}

std::optional<SmallVector<EntryCompare, 4>>
guardsAt(const PreparedFunction &P, const Instruction &At, const LoopCorner &Corner) {
  GuardFinder Finder(P, Corner);
  if (!Finder.find(At.getParent()))
    return std::nullopt;
  return std::move(Finder.Guards);
}

} // namespace isozyme
