//===- ReverseSkips.cpp - Tests for adjoints of zero ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %none = fcmp oeq double %d.adj, 0.0, !isozyme.guard
//   br i1 %none, label %rev.behind, label %rev.some, !isozyme.guard
//
// A derivative of this must not take the test for a choice of the program: the adjoints on the
// long way vary where they are zero.
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"
#include "isozyme/Support/ZeroGuards.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace isozyme {

/// Ends \p At: goes to \p Behind where all adjoints that come into \p Skip are zero.
void ReverseSweep::testForZero(const ZeroSkip &Skip, BasicBlock *At, BasicBlock *Behind,
                               BasicBlock *Some) {
  IRBuilder<> B(At);
  locate(B, Skip.Tested.front());
  Value *None = nullptr;
  for (Instruction *V : Skip.Tested)
    for (Value *D : Adjoints.peek(B, V)) {
      Value *IsZero = B.CreateFCmpOEQ(D, Constant::getNullValue(D->getType()), "is.zero");
      if (auto *Test = dyn_cast<Instruction>(IsZero))
        markZeroGuard(*Test);
      None = None ? B.CreateAnd(None, IsZero, "none") : IsZero;
    }
  markZeroGuard(*B.CreateCondBr(None, Behind, Some));
}

/// What comes in front of the entry of \p L: may it be left out?
void ReverseSweep::finishTests(const Loop *L) {
  BasicBlock *At = Tests.lookup(L), *Inside = Entries[L]->At;
  const ChosenIteration *Chosen = Plan.Chosen.find(L);
  if (const ZeroSkip *Skip = Plan.Skips.of(L)) {
    BasicBlock *Some =
        Chosen ? BasicBlock::Create(F.Fn.getContext(), At->getName() + ".chosen", &F.Fn, Inside)
               : Inside;
    testForZero(*Skip, At, Blocks.lookup(L->getLoopPreheader()), Some);
    At = Some;
  }
  if (Chosen)
    testForChosen(*Chosen, At, Inside);
}

/// Ends \p At: goes \p Inside of the loop if it has an iteration that was chosen, else hands on
/// the adjoints of what was there before.
void ReverseSweep::testForChosen(const ChosenIteration &Chosen, BasicBlock *At,
                                 BasicBlock *Inside) {
  const Loop *L = Chosen.L;
  IRBuilder<> B(At);
  auto *None = BasicBlock::Create(F.Fn.getContext(), At->getName() + ".none", &F.Fn, Inside);
  Value *Iteration = B.CreateLoad(B.getInt64Ty(), Counters[L]);
  B.CreateCondBr(B.CreateICmpSLT(Iteration, B.getInt64(0), "none"), None, Inside);
  B.SetInsertPoint(None);
  for (PHINode *Carried : Chosen.Carried) {
    locate(B, Carried);
    Adjoints.handOn(B, *Carried, Carried->getIncomingValueForBlock(L->getLoopPreheader()),
                    Adjoints.take(B, Chosen.next(*Carried)));
  }
  B.CreateBr(Blocks.lookup(L->getLoopPreheader()));
}

/// Ends \p S: goes to \p Behind where the store of \p Skip has left its memory as it was. Unlike a
/// zero, that is a choice of the program.
void ReverseSweep::testForChange(const ZeroSkip &Skip, Site &S, BasicBlock *Behind,
                                 BasicBlock *Some) {
  SelectInst *Choice = Skip.choice();
  Value *Condition = primal(Choice->getCondition(), S);
  IRBuilder<> B(S.At);
  locate(B, Choice);
  if (Skip.isThere(Choice->getTrueValue()))
    std::swap(Behind, Some);
  B.CreateCondBr(Condition, Some, Behind);
}

/// What comes next at \p S, until it is closed, is the reverse of \p Skip, a part of a block.
std::unique_ptr<ReverseSweep::Site> ReverseSweep::openPart(const ZeroSkip &Skip, Site &S) {
  LLVMContext &C = F.Fn.getContext();
  auto Inner = std::make_unique<Site>();
  Inner->L = S.L;
  Inner->At = BasicBlock::Create(C, "rev." + Skip.Block->getName() + ".some", &F.Fn);
  Inner->Values = S.Values;
  Inner->Bases = S.Bases;
  Inner->Records = S.Records;
  Inner->Counters = S.Counters;
  auto *Behind = BasicBlock::Create(C, "rev." + Skip.Block->getName() + ".behind", &F.Fn);
  if (Skip.Unchanged)
    testForChange(Skip, S, Behind, Inner->At);
  else
    testForZero(Skip, S.At, Behind, Inner->At);
  S.At = Behind;
  return Inner;
}

/// The instructions of \p BB, last one first.
void ReverseSweep::visitAll(BasicBlock &BB, Site &S) {
  const ZeroSkip *Skip = Plan.Skips.of(&BB);
  std::unique_ptr<Site> Part;
  if (Skip && !Skip->Behind)
    Part = openPart(*Skip, S);
  for (Instruction &I : reverse(BB)) {
    visit(I, Part ? *Part : S);
    if (Skip && Skip->Behind == &I)
      Part = openPart(*Skip, S);
  }
  if (Part)
    IRBuilder<>(Part->At).CreateBr(S.At);
}

} // namespace isozyme
