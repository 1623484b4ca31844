//===- NameExchangeLoops.cpp - Sums by compare-and-exchange ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that exchanges until nobody has come in between is one atomic operation, here a sum, or
// the larger of two numbers:
//
//   again:
//     %seen = phi i64 [ %first, %before ], [ %now, %again ]
//     %old = bitcast i64 %seen to double
//     %sum = fadd double %old, %v
//     %bits = bitcast double %sum to i64
//     %pair = cmpxchg ptr %p, i64 %seen, i64 %bits      ->  %old = atomicrmw fadd ptr %p, double %v
//     %now = extractvalue { i64, i1 } %pair, 0
//     %done = icmp eq i64 %seen, %now
//     br i1 %done, label %exit, label %again
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

/// The parts of such a loop, which is one block.
struct ExchangeLoop {
  AtomicCmpXchgInst *Exchange = nullptr;
  PHINode *Seen = nullptr;
  Value *First = nullptr;     ///< What is seen at first.
  Instruction *New = nullptr; ///< Of the float Old and By.
  Instruction *Old = nullptr;
  Value *By = nullptr;
  AtomicRMWInst::BinOp Operation = AtomicRMWInst::BAD_BINOP;
};

} // namespace

static bool isOutside(const Value *V, const BasicBlock &Loop) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || I->getParent() != &Loop;
}

/// What comes before a loop of one block, whose phis have two values.
static BasicBlock *beforeLoop(BasicBlock &BB) {
  PHINode &Phi = *BB.phis().begin();
  return Phi.getIncomingBlock(Phi.getIncomingBlock(0) == &BB ? 1 : 0);
}

/// Is the loop left where the exchange took place, and only there?
static bool leavesWhenDone(const ExchangeLoop &L, BasicBlock &BB) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  Value *Condition = Branch->getCondition(), *Pair = L.Exchange;
  bool Leaves = Branch->getSuccessor(1) == &BB && Branch->getSuccessor(0) != &BB;
  if (!Leaves && (Branch->getSuccessor(0) != &BB || Branch->getSuccessor(1) == &BB))
    return false;
  if (match(Condition, m_ExtractValue<1>(m_Specific(Pair))))
    return Leaves;
  CmpPredicate Relation;
  if (!match(Condition,
             m_c_ICmp(Relation, m_Specific(L.Seen), m_ExtractValue<0>(m_Specific(Pair)))))
    return false;
  return Relation == (Leaves ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE);
}

/// Of its two operands.
static AtomicRMWInst::BinOp extremumAt(Instruction &I) {
  Value *A, *B;
  if (match(&I, m_OrdOrUnordFMax(m_Value(A), m_Value(B))))
    return AtomicRMWInst::FMax;
  if (match(&I, m_OrdOrUnordFMin(m_Value(A), m_Value(B))))
    return AtomicRMWInst::FMin;
  Op Is = mathOpOf(I);
  return Is == Op::FMax   ? AtomicRMWInst::FMax
         : Is == Op::FMin ? AtomicRMWInst::FMin
                          : AtomicRMWInst::BAD_BINOP;
}

/// Is \p L.New the larger or the smaller of \p L.By and what was there?
static bool findExtremum(ExchangeLoop &L, const BasicBlock &BB) {
  L.Operation = extremumAt(*L.New);
  if (L.Operation == AtomicRMWInst::BAD_BINOP)
    return false;
  // The operands of a selection come behind its condition.
  unsigned Begin = isa<SelectInst>(L.New) ? 1 : 0;
  for (unsigned Number : {Begin, Begin + 1}) {
    Value *Each = L.New->getOperand(Number);
    L.By = L.New->getOperand(Begin + Begin + 1 - Number);
    if (match(Each, m_BitCast(m_Specific(L.Seen))) && isOutside(L.By, BB) && !isOutside(Each, BB)) {
      L.Old = cast<Instruction>(Each);
      return true;
    }
  }
  return false;
}

/// The same, as a choice between their bits: \p Bits.
static bool findExtremumOfBits(ExchangeLoop &L, Value &Bits, const BasicBlock &BB) {
  Value *A, *B, *IfTrue, *IfFalse;
  CmpPredicate Relation;
  if (!match(&Bits,
             m_Select(m_FCmp(Relation, m_Value(A), m_Value(B)), m_Value(IfTrue), m_Value(IfFalse))))
    return false;
  CmpInst::Predicate TakesBy = Relation; // Of By and what was there.
  if (IfTrue == L.Seen) {
    TakesBy = CmpInst::getInversePredicate(TakesBy);
    std::swap(IfTrue, IfFalse);
  }
  auto isOld = m_BitCast(m_Specific(L.Seen));
  if (match(A, isOld)) {
    TakesBy = CmpInst::getSwappedPredicate(TakesBy);
    std::swap(A, B);
  }
  if (IfFalse != L.Seen || !match(B, isOld) || !match(IfTrue, m_BitCast(m_Specific(A))) ||
      !isOutside(A, BB) || isOutside(B, BB))
    return false;
  L.By = A;
  L.Old = cast<Instruction>(B);
  // Of two equal numbers it makes no difference which one stays.
  if (is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_UGT, CmpInst::FCMP_OGE, CmpInst::FCMP_UGE},
                   TakesBy))
    L.Operation = AtomicRMWInst::FMax;
  else if (is_contained(
               {CmpInst::FCMP_OLT, CmpInst::FCMP_ULT, CmpInst::FCMP_OLE, CmpInst::FCMP_ULE},
               TakesBy))
    L.Operation = AtomicRMWInst::FMin;
  return L.Operation != AtomicRMWInst::BAD_BINOP;
}

/// The product in \p Sum = fmuladd(a, b, old), or its negative, becomes one in front of the loop.
static void separateProduct(Value &Sum, BasicBlock &BB) {
  auto *Fused = dyn_cast<IntrinsicInst>(&Sum);
  if (!Fused || Fused->getIntrinsicID() != Intrinsic::fmuladd || Fused->getParent() != &BB)
    return;
  for (unsigned K : {0, 1}) // What is negated is the same each time.
    if (auto *Negated = dyn_cast<UnaryOperator>(Fused->getArgOperand(K));
        Negated && Negated->getParent() == &BB && isOutside(Negated->getOperand(0), BB))
      Negated->moveBefore(beforeLoop(BB)->getTerminator()->getIterator());
  Value *A = Fused->getArgOperand(0), *B = Fused->getArgOperand(1);
  if (!isOutside(A, BB) || !isOutside(B, BB))
    return;
  IRBuilder<> Build(beforeLoop(BB)->getTerminator());
  Build.setFastMathFlags(Fused->getFastMathFlags());
  Build.SetCurrentDebugLocation(Fused->getDebugLoc());
  Value *Product = Build.CreateFMul(A, B);
  Build.SetInsertPoint(Fused);
  Value *Plain = Build.CreateFAdd(Fused->getArgOperand(2), Product);
  Fused->replaceAllUsesWith(Plain);
  Fused->eraseFromParent();
}

static bool findSum(ExchangeLoop &L, BasicBlock &BB) {
  if (findExtremumOfBits(L, *L.Exchange->getNewValOperand(), BB))
    return true;
  Value *Sum = nullptr;
  if (match(L.Exchange->getNewValOperand(), m_BitCast(m_Value(Sum))))
    separateProduct(*Sum, BB);
  if (!match(L.Exchange->getNewValOperand(), m_BitCast(m_Value(Sum))) || isOutside(Sum, BB) ||
      !(Sum->getType()->isFloatTy() || Sum->getType()->isDoubleTy()))
    return false;
  auto isOld = m_BitCast(m_Specific(L.Seen));
  L.New = dyn_cast<Instruction>(Sum);
  if (!L.New)
    return false;
  if (match(Sum, m_c_FAdd(isOld, m_Value(L.By))))
    L.Operation = AtomicRMWInst::FAdd;
  else if (match(Sum, m_FSub(isOld, m_Value(L.By))))
    L.Operation = AtomicRMWInst::FSub;
  else
    return findExtremum(L, BB);
  L.Old = cast<Instruction>(L.New->getOperand(L.New->getOperand(0) == L.By ? 1 : 0));
  return isOutside(L.By, BB) && !isOutside(L.Old, BB);
}

/// Where the loop carries the float (`+=` on an `_Atomic double`), it carries the bits instead:
///
///   %old = phi double [ %first, %before ], [ %now, %again ]
///   %seen = bitcast double %old to i64
///   %pair = cmpxchg ptr %p, i64 %seen, ...
///   %now = bitcast i64 (extractvalue %pair, 0) to double
static void carryBits(AtomicCmpXchgInst &Exchange) {
  BasicBlock &BB = *Exchange.getParent();
  Value *Seen = Exchange.getCompareOperand(), *Now = nullptr, *Float = nullptr;
  auto *Old = match(Seen, m_BitCast(m_Value(Float))) ? dyn_cast<PHINode>(Float) : nullptr;
  if (!Old || Old->getParent() != &BB || Old->getNumIncomingValues() != 2)
    return;
  const int Again = Old->getBasicBlockIndex(&BB);
  if (Again < 0 || !match(Old->getIncomingValue(Again), m_BitCast(m_Value(Now))) ||
      !match(Now, m_ExtractValue<0>(m_Specific(&Exchange))))
    return;
  BasicBlock *Before = beforeLoop(BB);
  IRBuilder<> B(Before->getTerminator());
  Value *First = B.CreateBitCast(Old->getIncomingValue(1 - Again), Seen->getType());
  B.SetInsertPoint(Old);
  PHINode *Bits = B.CreatePHI(Seen->getType(), 2, "seen");
  Bits->addIncoming(First, Before);
  Bits->addIncoming(Now, &BB);
  B.SetInsertPoint(&BB, BB.getFirstInsertionPt());
  Value *Same = B.CreateBitCast(Bits, Old->getType());
  Seen->replaceAllUsesWith(Bits);
  Old->replaceAllUsesWith(Same);
  Same->takeName(Old);
  Old->eraseFromParent();
}

static std::optional<ExchangeLoop> exchangeLoop(AtomicCmpXchgInst &Exchange) {
  carryBits(Exchange);
  BasicBlock &BB = *Exchange.getParent();
  ExchangeLoop L;
  L.Exchange = &Exchange;
  L.Seen = dyn_cast<PHINode>(Exchange.getCompareOperand());
  if (!L.Seen || L.Seen->getParent() != &BB || L.Seen->getNumIncomingValues() != 2 ||
      !hasSingleElement(BB.phis()) || L.Seen->getBasicBlockIndex(&BB) < 0 ||
      !isOutside(Exchange.getPointerOperand(), BB) || Exchange.isVolatile())
    return std::nullopt;
  unsigned Again = L.Seen->getBasicBlockIndex(&BB);
  L.First = L.Seen->getIncomingValue(1 - Again);
  if (!match(L.Seen->getIncomingValue(Again), m_ExtractValue<0>(m_Specific(&Exchange))) ||
      !leavesWhenDone(L, BB) || !findSum(L, BB))
    return std::nullopt;
  // Nothing else may be done more than once.
  for (Instruction &I : BB)
    if (&I != &Exchange && I.mayHaveSideEffects())
      return std::nullopt;
  return L;
}

static void replace(ExchangeLoop &L) {
  BasicBlock &BB = *L.Seen->getParent();
  IRBuilder<> B(L.Exchange);
  AtomicRMWInst *Sum =
      B.CreateAtomicRMW(L.Operation, L.Exchange->getPointerOperand(), L.By, L.Exchange->getAlign(),
                        L.Exchange->getSuccessOrdering(), L.Exchange->getSyncScopeID());
  Sum->setDebugLoc(L.Exchange->getDebugLoc());
  Sum->moveBefore(BB.getFirstNonPHIIt());
  B.SetInsertPoint(Sum->getNextNode());
  Value *Bits = B.CreateBitCast(Sum, L.Seen->getType());
  Sum->takeName(L.Old);
  L.Old->replaceAllUsesWith(Sum);
  // Leave the loop.
  auto *Branch = cast<BranchInst>(BB.getTerminator());
  BasicBlock *Exit = Branch->getSuccessor(Branch->getSuccessor(0) == &BB ? 1 : 0);
  Value *Condition = Branch->getCondition();
  L.Seen->removeIncomingValue(&BB, /*DeletePHIIfEmpty=*/false);
  B.SetInsertPoint(Branch);
  B.CreateBr(Exit);
  Branch->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
  for (User *U : make_early_inc_range(L.Exchange->users())) {
    bool IsSuccess = cast<ExtractValueInst>(U)->getIndices()[0] == 1;
    U->replaceAllUsesWith(IsSuccess ? B.getTrue() : Bits);
    cast<Instruction>(U)->eraseFromParent();
  }
  L.Exchange->eraseFromParent();
  L.Seen->replaceAllUsesWith(Bits);
  L.Seen->eraseFromParent();
  for (Instruction &I : make_early_inc_range(reverse(BB)))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  Value *First = L.First;
  if (auto *Cast = dyn_cast<BitCastInst>(First); Cast && Cast->use_empty()) {
    First = Cast->getOperand(0);
    Cast->eraseFromParent();
  }
  if (auto *Load = dyn_cast<LoadInst>(First); Load && Load->use_empty())
    Load->eraseFromParent(); // Even an atomic one: what it saw is of no consequence.
}

void nameExchangeLoops(Function &F) {
  SmallVector<AtomicCmpXchgInst *, 4> Exchanges;
  for (Instruction &I : instructions(F))
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Exchanges.push_back(Exchange);
  for (AtomicCmpXchgInst *Exchange : Exchanges)
    if (std::optional<ExchangeLoop> L = exchangeLoop(*Exchange))
      replace(*L);
}

} // namespace isozyme
