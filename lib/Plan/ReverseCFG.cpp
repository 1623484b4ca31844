//===- ReverseCFG.cpp - How the reverse sweep walks the blocks ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the prepared function and which instructions have an action in reverse.
// Out: one step per block that the reverse sweep visits.
// Never: decides what is kept; it only names the values that choose a way.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/ReverseCFG.h"
#include "isozyme/Needs/NeedSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

ReverseCFG::ReverseCFG(const PreparedFunction &P,
                       function_ref<bool(const Instruction &)> HasReverseAction) {
  BasicBlock *Return = P.returnBlock();
  if (!Return)
    return;
  for (BasicBlock &BB : P.function())
    if (P.reachesReturn(&BB) && any_of(BB, HasReverseAction))
      Relevant.insert(&BB);
  SetVector<BasicBlock *> Worklist;
  Worklist.insert(Return);
  for (size_t Next = 0; Next < Worklist.size(); ++Next) {
    BasicBlock *BB = Worklist[Next];
    ReverseStep Step = stepFor(P, BB);
    Steps.insert({BB, Step});
    if (Step.Target) {
      Worklist.insert(Step.Target);
    } else if (Step.K != ReverseStep::End) {
      for (BasicBlock *Pred : P.predecessorsOf(BB))
        Worklist.insert(Pred);
    }
  }
  for (auto &[BB, Step] : Steps)
    if (Step.K == ReverseStep::Loop)
      Loops.insert(P.loops().getLoopFor(BB));
}

ReverseStep ReverseCFG::stepFor(const PreparedFunction &P, BasicBlock *BB) const {
  if (BB->isEntryBlock())
    return {ReverseStep::End, nullptr};
  const Loop *L = P.loops().getLoopFor(BB);
  if (L && L->getHeader() == BB)
    return {ReverseStep::Loop, nullptr};
  if (BasicBlock *Target = skipTarget(P, BB))
    return {ReverseStep::Skip, Target};
  ArrayRef<BasicBlock *> Preds = P.predecessorsOf(BB);
  if (Preds.size() == 1)
    return {ReverseStep::Single, Preds[0]};
  return {ReverseStep::Choose, nullptr};
}

/// The nearest dominator of \p BB in the same loop such that nothing between
/// the two has an action in reverse; null when there is none.
BasicBlock *ReverseCFG::skipTarget(const PreparedFunction &P, BasicBlock *BB) const {
  // A phi with an adjoint needs the edge that was taken.
  if (isa<PHINode>(BB->front()) && Relevant.contains(BB))
    return nullptr;
  ArrayRef<BasicBlock *> Preds = P.predecessorsOf(BB);
  const Loop *L = P.loops().getLoopFor(BB);
  if (Preds.size() == 1 && P.loops().getLoopFor(Preds[0]) == L)
    return nullptr;
  DomTreeNode *Node = P.dominators().getNode(BB)->getIDom();
  SetVector<BasicBlock *> Between;
  for (BasicBlock *Pred : Preds)
    Between.insert(Pred);
  size_t Next = 0;
  for (; Node; Node = Node->getIDom()) {
    BasicBlock *Dominator = Node->getBlock();
    // Grow the region backwards up to, but not into, the dominator.
    for (; Next < Between.size(); ++Next) {
      BasicBlock *In = Between[Next];
      if (In == Dominator)
        continue;
      if (Relevant.contains(In))
        return nullptr;
      for (BasicBlock *Pred : predecessors(In))
        if (P.reachesReturn(Pred) && P.dominators().isReachableFromEntry(Pred))
          Between.insert(Pred);
    }
    if (P.loops().getLoopFor(Dominator) == L)
      return Dominator;
    if (Relevant.contains(Dominator))
      return nullptr;
    for (BasicBlock *Pred : predecessors(Dominator))
      if (P.dominators().isReachableFromEntry(Pred))
        Between.insert(Pred);
  }
  return nullptr;
}

SmallVector<const Loop *, 2> ReverseCFG::loopsLeft(const PreparedFunction &P,
                                                   const BasicBlock *From, const BasicBlock *To) {
  SmallVector<const Loop *, 2> Left;
  for (const Loop *L = P.loops().getLoopFor(From); L && !L->contains(To); L = L->getParentLoop())
    Left.insert(Left.begin(), L);
  return Left;
}

void ReverseCFG::print(const PreparedFunction &P, function_ref<bool(const Loop *)> Rises,
                       raw_ostream &OS) const {
  for (auto &[BB, Step] : Steps) {
    OS << "    " << operandName(BB) << ": ";
    switch (Step.K) {
    case ReverseStep::End:
      OS << "end";
      break;
    case ReverseStep::Single:
      OS << "from " << operandName(Step.Target);
      break;
    case ReverseStep::Skip:
      OS << "skip to " << operandName(Step.Target);
      break;
    case ReverseStep::Loop: {
      const Loop *L = P.loops().getLoopFor(BB);
      const CanonicalLoop &C = P.canonical(L);
      OS << "loop, " << operandName(C.IV);
      if (Rises(L))
        OS << " up to " << operandName(C.LastIV);
      else
        OS << " down to 0";
      break;
    }
    case ReverseStep::Choose:
      OS << "choose by " << operandName(P.cameFrom(BB)) << " from";
      for (BasicBlock *Pred : P.predecessorsOf(BB))
        OS << ' ' << operandName(Pred);
      break;
    }
    OS << '\n';
  }
}

} // namespace isozyme
