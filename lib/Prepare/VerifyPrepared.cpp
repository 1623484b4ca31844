//===- VerifyPrepared.cpp - Does a function keep Prepare's promises? ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the legal set, the form of the loops, and every fact that
// PreparedFunction states. Says each broken promise in one line.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/LegalSet.h"
#include "isozyme/Prepare/Prepare.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {
class Checker {
public:
  Checker(const PreparedFunction &P, raw_ostream *OS) : P(P), F(P.function()), OS(OS) {}
  bool run();

private:
  void expect(bool Holds, const Twine &Promise, const Value &Where);
  void checkInstructions();
  void checkControl();
  void checkLoop(const Loop &L);
  void checkLast(const CanonicalLoop &Known);
  void checkPredecessors(BasicBlock &BB);
  void checkCameFrom(BasicBlock &BB);

  const PreparedFunction &P;
  Function &F;
  raw_ostream *OS;
  bool Broken = false;
};
} // namespace

void Checker::expect(bool Holds, const Twine &Promise, const Value &Where) {
  if (Holds)
    return;
  Broken = true;
  if (!OS)
    return;
  *OS << Promise << ": ";
  isa<BasicBlock>(Where) ? Where.printAsOperand(*OS, false) : Where.print(*OS);
  *OS << '\n';
}

void Checker::checkInstructions() {
  unsigned Last = 0;
  for (Argument &A : F.args())
    Last = std::max(Last, P.numberOf(&A));
  for (BasicBlock &BB : F)
    for (Instruction &I : BB) {
      StringRef Why = whyIllegal(I);
      expect(Why.empty(), Why, I);
      expect(P.numberOf(&I) > Last || (F.arg_empty() && &I == &F.front().front()),
             "numbers grow with the position", I);
      Last = P.numberOf(&I);
    }
}

void Checker::checkControl() {
  for (BasicBlock &BB : F) {
    expect(P.dominators().isReachableFromEntry(&BB), "every block can be reached", BB);
    if (isa<ReturnInst>(BB.getTerminator()))
      expect(&BB == P.returnBlock(), "there is one return", BB);
    bool Lives = &BB == P.returnBlock() ||
                 any_of(successors(&BB), [&](BasicBlock *S) { return P.reachesReturn(S); });
    expect(Lives == P.reachesReturn(&BB), "blocks that cannot return are known", BB);
    checkPredecessors(BB);
    checkCameFrom(BB);
  }
  ReversePostOrderTraversal<Function *> Order(&F);
  expect(!containsIrreducibleCFG<BasicBlock *>(Order, P.loops()), "all cycles are loops",
         F.front());
}

void Checker::checkPredecessors(BasicBlock &BB) {
  ArrayRef<BasicBlock *> Known = P.predecessorsOf(&BB);
  SmallPtrSet<BasicBlock *, 4> Real(pred_begin(&BB), pred_end(&BB));
  SmallPtrSet<BasicBlock *, 4> Stated(Known.begin(), Known.end());
  expect(Real == Stated && Stated.size() == Known.size(), "predecessors are complete and unique",
         BB);
  expect(
      is_sorted(Known, [&](BasicBlock *A, BasicBlock *B) { return P.numberOf(A) < P.numberOf(B); }),
      "predecessors are in order", BB);
}

void Checker::checkCameFrom(BasicBlock &BB) {
  ArrayRef<BasicBlock *> Preds = P.predecessorsOf(&BB);
  Value *From = P.cameFrom(&BB);
  bool Needed = P.reachesReturn(&BB) && Preds.size() > 1 && !P.loops().isLoopHeader(&BB);
  expect(Needed == (From != nullptr), "a join knows where control came from", BB);
  if (!From)
    return;
  expect(From->getType()->isIntegerTy(8) || From->getType()->isIntegerTy(32),
         "cameFrom is i8 or i32", *From);
  if (auto *Phi = dyn_cast<PHINode>(From)) {
    for (unsigned N = 0; N != Phi->getNumIncomingValues(); ++N) {
      auto *Position = dyn_cast<ConstantInt>(Phi->getIncomingValue(N));
      expect(Position && Position->getZExtValue() < Preds.size() &&
                 Preds[Position->getZExtValue()] == Phi->getIncomingBlock(N),
             "cameFrom is the position of the predecessor", *Phi);
    }
    return;
  }
  auto *Choice = dyn_cast<SelectInst>(From);
  expect(Choice && Choice->getParent() == &BB && Preds.size() == 2 &&
             isa<ConstantInt>(Choice->getTrueValue()) && isa<ConstantInt>(Choice->getFalseValue()),
         "cameFrom is a phi or a select of positions", *From);
}

void Checker::checkLoop(const Loop &L) {
  BasicBlock &Header = *L.getHeader();
  expect(L.isLoopSimplifyForm(), "loops are in simplified form", Header);
  expect(L.isLCSSAForm(P.dominators()), "values leave loops through phis", Header);
  const CanonicalLoop &Known = P.canonical(&L);
  PHINode *IV = Known.IV;
  expect(Known.L == &L && IV && &Header.front() == IV && IV->getType()->isIntegerTy(64),
         "a loop has an i64 counter as first phi", Header);
  if (!IV || !L.isLoopSimplifyForm())
    return;
  Value *Next = IV->getIncomingValueForBlock(L.getLoopLatch());
  expect(match(IV->getIncomingValueForBlock(L.getLoopPreheader()), m_ZeroInt()),
         "a counter starts at 0", *IV);
  expect(match(Next, m_NUWAdd(m_Specific(IV), m_One())), "a counter counts by 1", *IV);
  ArrayRef<BasicBlock *> Preds = P.predecessorsOf(&Header);
  expect(Preds.size() == 2 && is_contained(Preds, L.getLoopPreheader()) &&
             is_contained(Preds, L.getLoopLatch()),
         "a header is entered from preheader and latch", Header);
  checkLast(Known);
}

void Checker::checkLast(const CanonicalLoop &Known) {
  BasicBlock &Header = *Known.L->getHeader();
  if (Known.Extent)
    expect(Known.LastIV && Known.Extent->getType()->isIntegerTy(64),
           "a loop with an extent has a last counter value", Header);
  if (Value *Last = Known.LastIV) {
    expect(Last->getType()->isIntegerTy(64), "the last counter value is an i64", *Last);
    auto *I = dyn_cast<Instruction>(Last);
    expect(!I || P.dominators().dominates(I, Known.L->getLoopPreheader()->getTerminator()),
           "the last counter value is known before the loop", *Last);
    return;
  }
  SmallVector<BasicBlock *, 4> Exits;
  Known.L->getUniqueExitBlocks(Exits);
  expect(Exits.size() == Known.ExitIV.size(), "each exit knows the counter", Header);
  for (auto [Exit, Last] : Known.ExitIV) {
    expect(Last && Last->getParent() == Exit &&
               all_of(Last->incoming_values(), [&](Value *V) { return V == Known.IV; }),
           "an exit has a phi of the counter", *Exit);
  }
}

bool Checker::run() {
  if (verifyFunction(F, OS))
    return true;
  if (!P.dominators().verify(DominatorTree::VerificationLevel::Fast)) {
    expect(false, "dominators are up to date", F.front());
    return true;
  }
  checkInstructions();
  checkControl();
  for (Loop *L : P.loops().getLoopsInPreorder())
    checkLoop(*L);
  return Broken;
}

bool verifyPrepared(const PreparedFunction &P, raw_ostream *OS) { return Checker(P, OS).run(); }

} // namespace isozyme
