//===- ChosenIterations.cpp - Which iteration was chosen last -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %next = select i1 %is.less, double %square, double %nearest
//
// gets a companion that says in which iteration it was computed:
//
//   %chosen      = phi i64 [ -1, %entry ], [ %chosen.next, %loop ]
//   %chosen.next = select i1 %is.less, i64 %iv, i64 %chosen
//
// Behind the loop, that is the only iteration of which the result is a part; -1: the value from in
// front of the loop is still there.
//
//===----------------------------------------------------------------------===//
#include "../Steps.h"
#include "isozyme/Values/Choices.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

namespace {

class ChosenIteration {
public:
  ChosenIteration(PHINode &Carried, const Choices &All, const Loop &L, PHINode &IV)
      : Carried(Carried), All(All), L(L), IV(IV) {}

  bool isLike(const ChosenIteration &Other) const;
  /// Makes the companion; returns what it is behind the loop.
  PHINode *emit();

private:
  /// Tells choices apart by what decides them: a condition, or the block of a phi.
  static const Value *decides(const Instruction &Choice) {
    if (auto *Select = dyn_cast<SelectInst>(&Choice))
      return Select->getCondition();
    return Choice.getParent();
  }
  /// The number of the choice that \p V is, or what it is otherwise.
  int kindOf(const Value *V) const {
    if (V == &Carried)
      return -1;
    const auto *At = find_if(All, [&](const Instruction *I) { return I == V; });
    return At == All.end() ? -2 : int(At - All.begin());
  }
  Value *number(Value *V) const {
    if (V == &Carried)
      return Number;
    Value *Made = Companions.lookup(V);
    return Made ? Made : static_cast<Value *>(&IV);
  }

  PHINode &Carried;
  const Choices &All;
  const Loop &L;
  PHINode &IV;
  PHINode *Number = nullptr;
  DenseMap<const Value *, Value *> Companions;
};

} // namespace

/// Are both replaced in the same iterations?
bool ChosenIteration::isLike(const ChosenIteration &Other) const {
  return equal(All, Other.All, [&](const Instruction *A, const Instruction *B) {
    return decides(*A) == decides(*B) &&
           equal(alternativesOf(*A), alternativesOf(*B),
                 [&](const Value *V, const Value *W) { return kindOf(V) == Other.kindOf(W); });
  });
}

PHINode *ChosenIteration::emit() {
  IRBuilder<> B(IV.getParent(), std::next(IV.getIterator()));
  Number = B.CreatePHI(IV.getType(), 2, "chosen");
  for (Instruction *Choice : All) {
    B.SetInsertPoint(Choice);
    if (auto *Select = dyn_cast<SelectInst>(Choice)) {
      Companions[Choice] = B.CreateSelect(Select->getCondition(), number(Select->getTrueValue()),
                                          number(Select->getFalseValue()), "chosen.now");
      continue;
    }
    auto *Phi = cast<PHINode>(Choice);
    PHINode *Made = B.CreatePHI(IV.getType(), Phi->getNumIncomingValues(), "chosen.now");
    for (auto [From, V] : zip(Phi->blocks(), Phi->incoming_values()))
      Made->addIncoming(number(V), From);
    Companions[Choice] = Made;
  }
  Number->addIncoming(ConstantInt::getAllOnesValue(IV.getType()), L.getLoopPreheader());
  Number->addIncoming(Companions[All.back()], L.getLoopLatch());
  BasicBlock *Exit = L.getUniqueExitBlock();
  B.SetInsertPoint(Exit, Exit->begin());
  PHINode *Last = B.CreatePHI(IV.getType(), 1, "chosen.last");
  Last->addIncoming(Companions[All.back()], L.getLoopLatch());
  return Last;
}

/// Is \p Carried compared and handed on, and used for nothing else? A sum is computed from it.
static bool isOnlyHandedOn(const PHINode &Carried, const Choices &OnWay) {
  return all_of(Carried.users(), [&](const User *U) {
    return isa<CmpInst>(U) || any_of(OnWay, [&](const Instruction *I) { return I == U; });
  });
}

static void noteChosen(const Loop &L, const LoopInfo &LI, LoopFacts &Known) {
  BasicBlock *Latch = L.getLoopLatch(), *Exit = L.getUniqueExitBlock();
  if (!Latch || !Exit || L.getExitingBlock() != Latch || LI.getLoopFor(Latch) != &L ||
      Exit->getSinglePredecessor() != Latch || !Known.LastIV)
    return;
  SmallVector<std::pair<PHINode *, Choices>, 2> All;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isFloatingPointTy())
      if (Choices Found = choicesOf(Phi, LI); !Found.empty() && isOnlyHandedOn(Phi, Found))
        All.push_back({&Phi, std::move(Found)});
  SmallVector<std::pair<ChosenIteration, PHINode *>, 2> Made;
  for (auto &[Phi, Found] : All) {
    ChosenIteration C(*Phi, Found, L, *Known.IV);
    auto *Like = find_if(Made, [&](const auto &Each) { return Each.first.isLike(C); });
    if (Like == Made.end()) {
      PHINode *Last = C.emit();
      Like = &Made.emplace_back(C, Last);
    }
    Known.Chosen.push_back({Phi, Like->second});
  }
}

void noteChosenIterations(Function &F, LoopFactsMap &Facts, FunctionAnalysisManager &FAM) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (const Loop *L : LI.getLoopsInPreorder())
    noteChosen(*L, LI, Facts.find(L->getHeader())->second);
}

} // namespace isozyme
