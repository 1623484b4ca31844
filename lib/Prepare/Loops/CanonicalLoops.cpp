//===- CanonicalLoops.cpp - One counter per loop ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  %i = phi i32 [ %lo, %ph ], [ %i.next, %latch ]     %i.next = add nsw i32 %i, 2
// after:   %iv = phi i64 [ 0, %ph ], [ %iv.next, %latch ]     %iv.next = add nuw nsw i64 %iv, 1
//          %iv.i = trunc i64 %iv to i32                       ; after the phis
//          %i = add i32 %lo, (mul i32 %iv.i, 2)
//
// A reverse sweep then knows every affine induction variable from one counter.
// The counter's last value is computed before the loop where ScalarEvolution
// knows the exact trip count, without any assumption; else each exit block gets
// a phi of it. A 64-bit counter that starts at 0 does not overflow. Ways out that never
// return, a failed assertion or bounds check, do not count: nothing is reversed then.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A header phi, or a widening cast in the loop, that is Start + IV * Step.
struct AffineValue {
  Instruction *I;
  const SCEVAddRecExpr *Evolution;
  WeakTrackingVH Start = {}, Step = {};
  /// A phi of what an affine value was in the iteration before: what it is in the first one.
  WeakTrackingVH First = {};

  Loop &loop() const { return const_cast<Loop &>(*Evolution->getLoop()); }
};

class LoopCanonicaliser {
public:
  LoopCanonicaliser(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {}
  LoopFactsMap run();

private:
  void addCounter(Loop &L);
  void findReturning();
  const SCEV *backedgesBeforeReturn(Loop &L);
  const SCEVAddRecExpr *affineIn(const Loop &L, Value &V) const;
  const SCEVAddRecExpr *oneBefore(const SCEVAddRecExpr &A) const;
  AffineValue behind(PHINode &Phi, const SCEVAddRecExpr &Next) const;
  void collectAffinePhis(Loop &L);
  void collectAffineCasts();
  void findLastIV(Loop &L, SCEVExpander &Expander);
  void findExtent(Loop &L, SCEVExpander &Expander);
  void expandParts(SCEVExpander &Expander);
  void rewrite(const AffineValue &A);
  Value *pointerFromIV(IRBuilder<> &B, const AffineValue &A, Value *Start, Value *IV);
  Value *integerFromIV(IRBuilder<> &B, const AffineValue &A, Value *Start, Value *IV);
  Value *timesStep(IRBuilder<> &B, const AffineValue &A, Value *IV, Type *Ty, bool NUW, bool NSW);
  void reuseIncrement(Loop &L);
  void addExitPhis(Loop &L);

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  LoopFactsMap Facts;
  SmallPtrSet<BasicBlock *, 32> Returning; ///< Blocks from which control may come to a return.
  SmallVector<AffineValue> Affine;
  DenseMap<Loop *, const SCEV *> TripCounts;
  SmallVector<WeakTrackingVH> OldParts;
};

} // namespace

/// Erases increments, casts and compares that only replaced values used, but
/// none that has become the last value of a counter.
static void eraseDeadParts(SmallVectorImpl<WeakTrackingVH> &Parts, const LoopFactsMap &Facts) {
  SmallPtrSet<Value *, 8> Kept;
  for (const auto &[Header, Known] : Facts)
    for (Value *V : {static_cast<Value *>(Known.LastIV), static_cast<Value *>(Known.Extent)})
      if (V)
        Kept.insert(V);
  while (!Parts.empty()) {
    Value *V = Parts.pop_back_val();
    auto *I = dyn_cast_or_null<Instruction>(V);
    if (!I || Kept.contains(I) || !isInstructionTriviallyDead(I))
      continue;
    for (Value *Operand : I->operands())
      if (isa<Instruction>(Operand))
        Parts.push_back(Operand);
    salvageDebugInfo(*I);
    I->eraseFromParent();
  }
}

void LoopCanonicaliser::addCounter(Loop &L) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> B(Header, Header->begin());
  PHINode *IV = B.CreatePHI(B.getInt64Ty(), 2, "iv");
  B.SetInsertPoint(Latch->getTerminator());
  Value *Next = B.CreateAdd(IV, B.getInt64(1), "iv.next", /*HasNUW=*/true, /*HasNSW=*/true);
  IV->addIncoming(B.getInt64(0), L.getLoopPreheader());
  IV->addIncoming(Next, Latch);
  Facts[Header].IV = IV;
}

void LoopCanonicaliser::findReturning() {
  SmallVector<BasicBlock *> Work;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()) && Returning.insert(&BB).second)
      Work.push_back(&BB);
  while (!Work.empty())
    for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
      if (Returning.insert(Pred).second)
        Work.push_back(Pred);
}

/// How often \p L goes round in calls that return.
const SCEV *LoopCanonicaliser::backedgesBeforeReturn(Loop &L) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (!isa<SCEVCouldNotCompute>(Count))
    return Count;
  SmallVector<BasicBlock *> Exiting, Back;
  L.getExitingBlocks(Exiting);
  copy_if(Exiting, std::back_inserter(Back), [&](BasicBlock *BB) {
    return any_of(successors(BB),
                  [&](BasicBlock *To) { return !L.contains(To) && Returning.contains(To); });
  });
  // The one way out that is left must be looked at in each iteration.
  if (Back.size() != 1 || Exiting.size() == 1 || !DT.dominates(Back[0], L.getLoopLatch()))
    return Count;
  return SE.getExitCount(&L, Back[0]);
}

const SCEVAddRecExpr *LoopCanonicaliser::affineIn(const Loop &L, Value &V) const {
  auto *Evolution = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&V));
  return Evolution && Evolution->getLoop() == &L && Evolution->isAffine() ? Evolution : nullptr;
}

/// What \p A was an iteration ago, but for the first one.
const SCEVAddRecExpr *LoopCanonicaliser::oneBefore(const SCEVAddRecExpr &A) const {
  const SCEV *Step = A.getStepRecurrence(SE);
  return dyn_cast<SCEVAddRecExpr>(
      SE.getAddRecExpr(SE.getMinusSCEV(A.getStart(), Step), Step, A.getLoop(), SCEV::FlagAnyWrap));
}

/// So many of the lowest bits of \p I make a difference to those who read it.
static unsigned lowBitsRead(const Instruction &I) {
  const unsigned Width = I.getType()->getIntegerBitWidth();
  unsigned Most = 1;
  for (const User *U : I.users()) {
    const APInt *By;
    auto *Op = cast<Instruction>(U);
    unsigned Bits = Width;
    // With flags, bits above say whether the result is poison.
    if (isa<TruncInst>(Op) && !Op->hasNoUnsignedWrap() && !Op->hasNoSignedWrap())
      Bits = Op->getType()->getIntegerBitWidth();
    else if (match(Op,
                   PatternMatch::m_Shl(PatternMatch::m_Specific(&I), PatternMatch::m_APInt(By))) &&
             By->ult(Width) && !Op->hasNoUnsignedWrap() && !Op->hasNoSignedWrap())
      Bits = Width - By->getZExtValue();
    Most = std::max(Most, Bits);
  }
  return Most;
}

/// \p Phi is what \p Next was in the iteration before.
AffineValue LoopCanonicaliser::behind(PHINode &Phi, const SCEVAddRecExpr &Next) const {
  Value *First = Phi.getIncomingValueForBlock(Next.getLoop()->getLoopPreheader());
  const SCEVAddRecExpr *Before = oneBefore(Next);
  // Behind `i = first + 1` it is an affine value from the first iteration on, mostly in the 32 bits
  // of an int that LLVM has widened.
  Type *Read = Type::getIntNTy(F.getContext(), lowBitsRead(Phi));
  const SCEV *Start = SE.getSCEV(First);
  if (Before && SE.getTruncateOrNoop(Start, Read) == SE.getTruncateOrNoop(Before->getStart(), Read))
    if (auto *Whole = dyn_cast<SCEVAddRecExpr>(
            SE.getAddRecExpr(Start, Next.getStepRecurrence(SE), Next.getLoop(), SCEV::FlagAnyWrap)))
      return {&Phi, Whole};
  return {&Phi, Before, {}, {}, First};
}

void LoopCanonicaliser::collectAffinePhis(Loop &L) {
  PHINode *IV = Facts[L.getHeader()].IV;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (&Phi == IV || !SE.isSCEVable(Phi.getType()))
      continue;
    if (auto *Evolution = affineIn(L, Phi))
      Affine.push_back({&Phi, Evolution});
    else if (auto *Next = affineIn(L, *Phi.getIncomingValueForBlock(L.getLoopLatch()));
             Next && Phi.getType()->isIntegerTy())
      Affine.push_back(behind(Phi, *Next));
  }
  const SCEV *Count = backedgesBeforeReturn(L);
  if (!isa<SCEVCouldNotCompute>(Count))
    TripCounts[&L] = Count;
}

/// `sext i32 %i to i64` of an induction variable that does not overflow is affine
/// itself: addresses then depend on the counter without a detour by 32 bits.
void LoopCanonicaliser::collectAffineCasts() {
  for (BasicBlock &BB : F) {
    if (!LI.getLoopFor(&BB))
      continue;
    for (Instruction &I : BB) {
      if (!isa<SExtInst>(I) && !isa<ZExtInst>(I))
        continue;
      auto *Evolution =
          I.getType()->isIntegerTy(64) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&I)) : nullptr;
      if (Evolution && Evolution->isAffine() && Evolution->getLoop()->contains(&I))
        Affine.push_back({&I, Evolution});
    }
  }
}

void LoopCanonicaliser::findLastIV(Loop &L, SCEVExpander &Expander) {
  auto Known = TripCounts.find(&L);
  if (Known == TripCounts.end())
    return;
  const SCEV *Count = Known->second;
  Instruction *At = L.getLoopPreheader()->getTerminator();
  if (SE.getTypeSizeInBits(Count->getType()) > 64 ||
      Count->getExpressionSize() > MaxExpressionSize || !Expander.isSafeToExpandAt(Count, At))
    return;
  Type *I64 = Type::getInt64Ty(F.getContext());
  Facts[L.getHeader()].LastIV = Expander.expandCodeFor(SE.getNoopOrZeroExtend(Count, I64), I64, At);
}

/// Only what surrounds the loop without changing its count can make an array for it.
void LoopCanonicaliser::findExtent(Loop &L, SCEVExpander &Expander) {
  LoopFacts &Known = Facts[L.getHeader()];
  if (!Known.LastIV)
    return;
  if (auto *Last = dyn_cast<ConstantInt>(Known.LastIV)) {
    Known.Extent = ConstantInt::get(Last->getType(), Last->getValue() + 1);
    return;
  }
  const SCEV *Count = TripCounts.lookup(&L);
  Loop *Nest = &L;
  while (Loop *Around = Nest->getParentLoop()) {
    if (!Facts[Around->getHeader()].LastIV || !SE.isLoopInvariant(Count, Around))
      break;
    Nest = Around;
  }
  LoopFinders With{LI, DT, SE, Expander};
  if (Nest != &L)
    Known.Extent = expandExtent(L, *Nest, Count, With);
}

/// Start and step of all affine values, before their loops.
void LoopCanonicaliser::expandParts(SCEVExpander &Expander) {
  erase_if(Affine, [&](AffineValue &A) {
    Loop &L = A.loop();
    Instruction *At = L.getLoopPreheader()->getTerminator();
    auto Expand = [&](const SCEV *S) -> Value * {
      if (S->getExpressionSize() > MaxExpressionSize || !Expander.isSafeToExpandAt(S, At))
        return nullptr;
      return Expander.expandCodeFor(S, S->getType(), At);
    };
    A.Step = Expand(A.Evolution->getStepRecurrence(SE));
    if (auto *Phi = dyn_cast<PHINode>(A.I); Phi && !A.First)
      A.Start = Phi->getIncomingValueForBlock(L.getLoopPreheader());
    else if (A.Step)
      A.Start = Expand(A.Evolution->getStart());
    return !A.Start || !A.Step;
  });
}

Value *LoopCanonicaliser::timesStep(IRBuilder<> &B, const AffineValue &A, Value *IV, Type *Ty,
                                    bool NUW, bool NSW) {
  Value *Step = A.Step;
  bool StepIsOne = match(Step, PatternMatch::m_One());
  // With a step other than 0 the counter is no larger than the product.
  if (IV->getType()->getIntegerBitWidth() > Ty->getIntegerBitWidth())
    IV = B.CreateTrunc(IV, Ty, "iv.narrow", NUW, NSW && StepIsOne);
  else
    IV = B.CreateZExt(IV, Ty, "iv.wide");
  return StepIsOne ? IV : B.CreateMul(IV, Step, "iv.scaled", NUW, NSW);
}

Value *LoopCanonicaliser::integerFromIV(IRBuilder<> &B, const AffineValue &A, Value *Start,
                                        Value *IV) {
  // No step of start + iv * step overflows. The product alone does not either
  // when it is no larger than the sum: unsigned always, signed from 0 upwards.
  bool NUW = A.Evolution->hasNoUnsignedWrap();
  bool NSW = A.Evolution->hasNoSignedWrap();
  bool ProductNSW = NSW && SE.isKnownNonNegative(A.Evolution->getStart()) &&
                    SE.isKnownNonNegative(A.Evolution->getStepRecurrence(SE));
  // A step of 0 would let the counter exceed the type.
  bool ProductNUW = NUW && SE.isKnownNonZero(A.Evolution->getStepRecurrence(SE));
  if (match(static_cast<Value *>(A.Step), PatternMatch::m_AllOnes()) &&
      Start->getType()->isIntegerTy(64))
    return B.CreateSub(Start, IV, "iv.moved", /*HasNUW=*/false, NSW);
  Value *Product = timesStep(B, A, IV, Start->getType(), ProductNUW, ProductNSW);
  if (match(Start, PatternMatch::m_ZeroInt()))
    return Product;
  return B.CreateAdd(Start, Product, "iv.moved", NUW, NSW && ProductNSW);
}

Value *LoopCanonicaliser::pointerFromIV(IRBuilder<> &B, const AffineValue &A, Value *Start,
                                        Value *IV) {
  auto *Next =
      dyn_cast<GEPOperator>(cast<PHINode>(A.I)->getIncomingValueForBlock(A.loop().getLoopLatch()));
  // Steps that each stay inside one object stay inside it together.
  bool InBounds = Next && Next->isInBounds() && Next->getPointerOperand() == A.I;
  Value *Offset = timesStep(B, A, IV, A.Step->getType(), /*NUW=*/false, /*NSW=*/InBounds);
  return B.CreatePtrAdd(Start, Offset, "iv.addr",
                        InBounds ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
}

void LoopCanonicaliser::rewrite(const AffineValue &A) {
  BasicBlock *Header = A.loop().getHeader();
  PHINode *IV = Facts[Header].IV;
  auto *Phi = dyn_cast<PHINode>(A.I);
  IRBuilder<> B(A.I->getParent(), Phi ? Header->getFirstInsertionPt() : A.I->getIterator());
  B.SetCurrentDebugLocation(A.I->getDebugLoc());
  Value *Rewritten = A.I->getType()->isPointerTy() ? pointerFromIV(B, A, A.Start, IV)
                                                   : integerFromIV(B, A, A.Start, IV);
  if (A.First)
    Rewritten = B.CreateSelect(B.CreateICmpEQ(IV, B.getInt64(0)), A.First, Rewritten);
  OldParts.push_back(Phi ? Phi->getIncomingValueForBlock(A.loop().getLoopLatch())
                         : A.I->getOperand(0));
  SE.forgetValue(A.I);
  A.I->replaceAllUsesWith(Rewritten);
  if (Rewritten != IV && isa<Instruction>(Rewritten) && A.I->hasName())
    Rewritten->takeName(A.I);
  A.I->eraseFromParent();
}

/// The loop's own `i + 1` serves as the counter's increment where it can.
void LoopCanonicaliser::reuseIncrement(Loop &L) {
  PHINode *IV = Facts[L.getHeader()].IV;
  auto *Own = cast<Instruction>(IV->getIncomingValueForBlock(L.getLoopLatch()));
  for (User *U : make_early_inc_range(IV->users())) {
    auto *Other = dyn_cast<BinaryOperator>(U);
    if (!Other || Other == Own || Own->getNumUses() != 1 ||
        !match(Other, PatternMatch::m_Add(PatternMatch::m_Specific(IV), PatternMatch::m_One())) ||
        !DT.dominates(Other, L.getLoopLatch()->getTerminator()) ||
        LI.getLoopFor(Other->getParent()) != &L)
      continue;
    Other->setHasNoUnsignedWrap();
    Other->setHasNoSignedWrap();
    IV->setIncomingValueForBlock(L.getLoopLatch(), Other);
    Own->eraseFromParent();
    return;
  }
}

void LoopCanonicaliser::addExitPhis(Loop &L) {
  LoopFacts &Known = Facts[L.getHeader()];
  if (Known.LastIV)
    return;
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits) {
    IRBuilder<> B(Exit, Exit->begin());
    PHINode *Last =
        B.CreatePHI(Known.IV->getType(), pred_size(Exit), Known.IV->getName() + ".last");
    for (BasicBlock *Pred : predecessors(Exit))
      Last->addIncoming(Known.IV, Pred);
    Known.ExitIV[Exit] = Last;
  }
}

LoopFactsMap LoopCanonicaliser::run() {
  SmallVector<Loop *> Loops = LI.getLoopsInPreorder();
  findReturning();
  // First all counters, so that the expander finds them; then all facts, while
  // ScalarEvolution still sees the code as it was proven; then the rewriting.
  for (Loop *L : Loops)
    addCounter(*L);
  for (Loop *L : Loops)
    collectAffinePhis(*L);
  collectAffineCasts();
  {
    SCEVExpander Expander(SE, "loop");
    for (Loop *L : Loops)
      findLastIV(*L, Expander);
    for (Loop *L : Loops)
      findExtent(*L, Expander);
    expandParts(Expander);
  }
  for (const AffineValue &A : Affine)
    rewrite(A);
  SE.forgetAllLoops();
  eraseDeadParts(OldParts, Facts);
  for (Loop *L : Loops) {
    reuseIncrement(*L);
    addExitPhis(*L);
  }
  for (Loop *L : LI)
    formLCSSARecursively(*L, DT, &LI, &SE);
  // LCSSA may have put phis of its own before the counters.
  for (auto &[Header, Known] : Facts)
    Known.IV->moveBefore(*Header, Header->begin());
  return std::move(Facts);
}

LoopFactsMap canonicaliseLoops(Function &F, FunctionAnalysisManager &FAM) {
  return LoopCanonicaliser(F, FAM).run();
}

void keepTripCountsVisible(Function &F, const LoopFactsMap &Facts, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<WeakTrackingVH> OldConditions;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    const LoopFacts &Known = Facts.find(L->getHeader())->second;
    BasicBlock *Exiting = L->getExitingBlock();
    if (!Known.LastIV || !Exiting || !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)))
      continue;
    auto *Branch = dyn_cast<BranchInst>(Exiting->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    IRBuilder<> B(Branch);
    bool StaysIfTrue = L->contains(Branch->getSuccessor(0));
    OldConditions.push_back(Branch->getCondition());
    Branch->setCondition(B.CreateICmp(StaysIfTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, Known.IV,
                                      Known.LastIV, StaysIfTrue ? "stay" : "leave"));
  }
  eraseDeadParts(OldConditions, Facts);
}

} // namespace isozyme
