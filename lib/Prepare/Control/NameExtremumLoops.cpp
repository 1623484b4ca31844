//===- NameExtremumLoops.cpp - Maxima by compare-and-exchange --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that tries to leave a value where a smaller one is, until a larger one is there, is one
// atomic operation:
//
//   again:
//     %seen = phi i32 [ %first, %before ], [ %now, %try ]
//     %old = bitcast i32 %seen to float
//     %larger = fcmp ogt float %v, %old
//     br i1 %larger, label %try, label %exit          ->  atomicrmw fmax ptr %p, float %v
//   try:
//     %pair = cmpxchg ptr %p, i32 %seen, i32 %bits    ; those of %v
//     %now = extractvalue { i32, i1 } %pair, 0
//     %done = extractvalue { i32, i1 } %pair, 1
//     br i1 %done, label %exit, label %again
//
// The question may also stand behind the exchange, and then the loop is one block, or nobody asks
// whether the exchange took place: the next round finds out. Of a nan that the program leaves, or
// finds, the operation may leave the number instead.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

/// Such a loop. Its header asks, or its only block exchanges, and asks then.
class ExtremumLoop {
public:
  explicit ExtremumLoop(AtomicCmpXchgInst &Exchange)
      : Exchange(Exchange), Try(*Exchange.getParent()) {}

  bool find();
  void replace();

private:
  bool isWay(BasicBlock &Question, Value *Asked);
  bool isLeftWhenDone() const;
  bool isAlone() const;
  bool isSeen(const Value *V) const { return V == Seen || V == Now; }
  BasicBlock &header() const { return *Seen->getParent(); }

  AtomicCmpXchgInst &Exchange;
  BasicBlock &Try;
  PHINode *Seen = nullptr;
  Value *Now = nullptr; ///< What the exchange has found; null where nobody asks.
  Value *By = nullptr;
  BasicBlock *Exit = nullptr;
  AtomicRMWInst::BinOp Operation = AtomicRMWInst::BAD_BINOP;
};

} // namespace

/// Does \p Question lead on where By is beyond \p Asked, an integer, and else to the exit?
bool ExtremumLoop::isWay(BasicBlock &Question, Value *Asked) {
  auto *Branch = dyn_cast<BranchInst>(Question.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  bool OnIfTrue = Branch->getSuccessor(0) == &Try, OnIfFalse = Branch->getSuccessor(1) == &Try;
  if (OnIfTrue == OnIfFalse)
    return false;
  Exit = Branch->getSuccessor(OnIfTrue ? 1 : 0);
  auto *Compare = dyn_cast<FCmpInst>(Branch->getCondition());
  if (!Compare)
    return false;
  CmpInst::Predicate Relation = OnIfTrue ? Compare->getPredicate() : Compare->getInversePredicate();
  auto isAsked = m_BitCast(m_Specific(Asked));
  if (match(Compare->getOperand(0), isAsked) && Compare->getOperand(1) == By)
    Relation = CmpInst::getSwappedPredicate(Relation);
  else if (Compare->getOperand(0) != By || !match(Compare->getOperand(1), isAsked))
    return false;
  if (Relation == CmpInst::FCMP_OGT || Relation == CmpInst::FCMP_UGT)
    Operation = AtomicRMWInst::FMax;
  else if (Relation == CmpInst::FCMP_OLT || Relation == CmpInst::FCMP_ULT)
    Operation = AtomicRMWInst::FMin;
  return Operation != AtomicRMWInst::BAD_BINOP;
}

/// Behind the exchange: to the header again, or where it took place to the exit.
bool ExtremumLoop::isLeftWhenDone() const {
  auto *Branch = dyn_cast<BranchInst>(Try.getTerminator());
  if (!Branch || !Branch->isConditional())
    return Branch && Branch->getSuccessor(0) == &header();
  bool LeavesIfTrue = Branch->getSuccessor(0) == Exit && Branch->getSuccessor(1) == &header();
  bool LeavesIfFalse = Branch->getSuccessor(1) == Exit && Branch->getSuccessor(0) == &header();
  if (LeavesIfTrue && match(Branch->getCondition(), m_ExtractValue<1>(m_Specific(&Exchange))))
    return true;
  CmpPredicate Relation;
  return LeavesIfTrue != LeavesIfFalse && Now &&
         match(Branch->getCondition(), m_c_ICmp(Relation, m_Specific(Seen), m_Specific(Now))) &&
         Relation == (LeavesIfTrue ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE);
}

/// Does the loop do nothing else, and does nobody ask behind it but for what was there before?
bool ExtremumLoop::isAlone() const {
  const bool Succeeds = &header() != &Try && Try.getSingleSuccessor() != &header();
  for (BasicBlock *BB : {&header(), &Try})
    for (Instruction &I : *BB) {
      if (&I != &Exchange && I.mayHaveSideEffects())
        return false;
      for (User *U : I.users()) {
        BasicBlock *At = cast<Instruction>(U)->getParent();
        if (At != &header() && At != &Try && !(Succeeds && isSeen(&I)))
          return false;
      }
    }
  // One of the ways to the exit is left.
  return all_of(Exit->phis(), [&](const PHINode &Phi) {
    if (&header() == &Try || Phi.getBasicBlockIndex(&Try) < 0)
      return true;
    const Value *Done = Phi.getIncomingValueForBlock(&Try),
                *Beyond = Phi.getIncomingValueForBlock(&header());
    return Done == Beyond || (isSeen(Done) && isSeen(Beyond));
  });
}

bool ExtremumLoop::find() {
  Seen = dyn_cast<PHINode>(Exchange.getCompareOperand());
  if (!Seen || Seen->getNumIncomingValues() != 2 || !hasSingleElement(header().phis()) ||
      Exchange.isVolatile() || !match(Exchange.getNewValOperand(), m_BitCast(m_Value(By))) ||
      !(By->getType()->isFloatTy() || By->getType()->isDoubleTy()))
    return false;
  for (Value *V : {By, Exchange.getPointerOperand()})
    if (auto *I = dyn_cast<Instruction>(V);
        I && (I->getParent() == &header() || I->getParent() == &Try))
      return false;
  int Again = Seen->getBasicBlockIndex(&Try);
  if (Again < 0 || !match(Seen->getIncomingValue(Again), m_ExtractValue<0>(m_Specific(&Exchange))))
    return false;
  Now = Seen->getIncomingValue(Again);
  if (&header() == &Try)
    return isWay(Try, Now) && isAlone();
  return Try.getSinglePredecessor() == &header() && isWay(header(), Seen) && isLeftWhenDone() &&
         isAlone();
}

/// The first question may stand in front of the loop: \p First is what was seen there. Where \p By
/// is not beyond, the operation does nothing.
static void dropQuestionBefore(BasicBlock &Header, LoadInst &First, Value *By) {
  BasicBlock *Before = Header.getSinglePredecessor();
  auto *Branch = Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  // A block of its own may lie between.
  if (Branch && Branch->isUnconditional() && Before->getSinglePredecessor()) {
    Before = Before->getSinglePredecessor();
    Branch = dyn_cast<BranchInst>(Before->getTerminator());
  }
  if (!Branch || !Branch->isConditional())
    return;
  auto *Compare = dyn_cast<FCmpInst>(Branch->getCondition());
  auto isFirst = m_BitCast(m_Specific(&First));
  if (!Compare || !((Compare->getOperand(0) == By && match(Compare->getOperand(1), isFirst)) ||
                    (Compare->getOperand(1) == By && match(Compare->getOperand(0), isFirst))))
    return;
  auto leads = [&](BasicBlock *To) { return To == &Header || To->getSingleSuccessor() == &Header; };
  unsigned Side = leads(Branch->getSuccessor(0)) ? 0 : 1;
  BasicBlock *Past = Branch->getSuccessor(1 - Side);
  if (!leads(Branch->getSuccessor(Side)) || leads(Past) || Branch->getSuccessor(Side) == Past)
    return;
  Past->removePredecessor(Before);
  BranchInst::Create(Branch->getSuccessor(Side), Branch->getIterator());
  Branch->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Compare);
}

void ExtremumLoop::replace() {
  BasicBlock &Header = header();
  IRBuilder<> B(&Header, Header.getFirstNonPHIIt());
  B.SetCurrentDebugLocation(Exchange.getDebugLoc());
  AtomicRMWInst *New =
      B.CreateAtomicRMW(Operation, Exchange.getPointerOperand(), By, Exchange.getAlign(),
                        Exchange.getSuccessOrdering(), Exchange.getSyncScopeID());
  Value *Old = B.CreateBitCast(New, Seen->getType());
  Value *First = Seen->getIncomingValue(1 - Seen->getBasicBlockIndex(&Try));
  WeakTrackingVH Read = First;
  Now->replaceAllUsesWith(Old);
  Instruction *Leave = Header.getTerminator();
  B.SetInsertPoint(Leave);
  B.CreateBr(Exit);
  Leave->eraseFromParent();
  Seen->replaceAllUsesWith(Old);
  Seen->eraseFromParent();
  if (&Header != &Try) {
    DeleteDeadBlock(&Try);
  } else {
    cast<Instruction>(Now)->eraseFromParent();
    for (User *U : make_early_inc_range(Exchange.users())) {
      U->replaceAllUsesWith(ConstantInt::getTrue(U->getContext()));
      cast<Instruction>(U)->eraseFromParent();
    }
    Exchange.eraseFromParent();
  }
  if (auto *Load = dyn_cast<LoadInst>(First);
      Load && Load->getPointerOperand() == New->getPointerOperand())
    dropQuestionBefore(Header, *Load, By);
  if (auto *Load = dyn_cast_or_null<LoadInst>(Read); Load && Load->use_empty())
    Load->eraseFromParent(); // Even an atomic one: what it saw is of no consequence.
}

void nameExtremumLoops(Function &F) {
  SmallVector<AtomicCmpXchgInst *, 4> Exchanges;
  for (Instruction &I : instructions(F))
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Exchanges.push_back(Exchange);
  for (AtomicCmpXchgInst *Exchange : Exchanges)
    if (ExtremumLoop L(*Exchange); L.find())
      L.replace();
}

} // namespace isozyme
