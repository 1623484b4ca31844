//===- ScratchMemory.cpp - What one iteration writes and reads ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load finds what its iteration has written if a loop N stores to each of its elements
// in front of it, in the same iteration of the loop around both:
//
//   for (k = 0..last) t[k] = ...;          N: steps of one element, a store in each iteration
//   for (i ...) for (j ...) use(t[a(i, j)])   t[0] <= the least address, the largest <= t[last]
//
//===----------------------------------------------------------------------===//
#include "ScratchMemory.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

const Value *ScratchMemory::objectOf(const Value *Ptr) const {
  SmallVector<const Value *, 2> Objects = accessedObjects(Ptr, P.function());
  const Value *Object = Objects.size() == 1 ? Objects.front() : nullptr;
  return Object && (isa<AllocaInst>(Object) || isNoAliasCall(Object)) ? Object : nullptr;
}

/// Is it read in the loop only? Others may write there, or release it behind the loop.
bool ScratchMemory::isPrivate(const Value *Object) const {
  if (P.loops().getLoopFor(cast<Instruction>(Object)->getParent()))
    return false;
  return isHiddenMemory(*Object, P.libraryInfo(), [&](const Use &U) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<MemTransferInst>(I))
      return false;
    return !isa<LoadInst, CallBase>(I) || isa<MemSetInst>(I) || isa<LoadInst>(I) == L.contains(I);
  });
}

bool ScratchMemory::holds(const Value *Ptr) {
  const Value *Object = objectOf(Ptr);
  if (!Object)
    return false;
  auto [It, New] = Private.insert({Object, false});
  if (New)
    It->second = isPrivate(Object);
  return It->second;
}

bool ScratchMemory::isWritten(const Value *Ptr) {
  const Value *Object = holds(Ptr) ? objectOf(Ptr) : nullptr;
  return Object && any_of(L.blocks(), [&](BasicBlock *BB) {
           return any_of(*BB, [&](Instruction &I) {
             auto *S = dyn_cast<StoreInst>(&I);
             auto *M = dyn_cast<MemSetInst>(&I);
             return (S && objectOf(S->getPointerOperand()) == Object) ||
                    (M && objectOf(M->getDest()) == Object);
           });
         });
}

/// \p Address in the first or last iterations of the loops around \p Load inside \p Within;
/// null where it does not grow with them.
const SCEV *ScratchMemory::extreme(const SCEV *Address, const Loop *Within, const LoadInst &Load,
                                   bool Last) const {
  ScalarEvolution &SE = P.scalarEvolution();
  for (const Loop *M = P.loops().getLoopFor(Load.getParent()); M != Within;
       M = M->getParentLoop()) {
    if (SE.isLoopInvariant(Address, M))
      continue;
    auto *Counted = dyn_cast<SCEVAddRecExpr>(Address);
    if (!Counted || Counted->getLoop() != M || !Counted->isAffine() ||
        !SE.isKnownNonNegative(Counted->getStepRecurrence(SE)))
      return nullptr;
    if (!Last) {
      Address = Counted->getStart();
      continue;
    }
    Value *Count = P.canonical(M).LastIV;
    if (!Count)
      return nullptr;
    Address = Counted->evaluateAtIteration(SE.getSCEV(Count), SE);
    if (isa<SCEVCouldNotCompute>(Address))
      return nullptr;
  }
  return Address;
}

namespace {

/// Where tests in front of a loop say that a number is not negative, it is the same with and
/// without a sign: optimisers write trip counts in both ways.
class Unsigned : public SCEVRewriteVisitor<Unsigned> {
public:
  Unsigned(ScalarEvolution &SE, const Loop *Inside) : SCEVRewriteVisitor(SE), Inside(Inside) {}

  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *Expr) {
    SmallVector<const SCEV *, 2> Operands;
    for (const SCEV *Operand : Expr->operands())
      Operands.push_back(visit(Operand));
    return all_of(Operands, [&](const SCEV *S) { return isNonNegative(S); })
               ? SE.getUMaxExpr(Operands)
               : SE.getSMaxExpr(Operands);
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *Expr) {
    const SCEV *Operand = visit(Expr->getOperand());
    return isNonNegative(Operand) ? SE.getZeroExtendExpr(Operand, Expr->getType())
                                  : SE.getSignExtendExpr(Operand, Expr->getType());
  }

private:
  bool isNonNegative(const SCEV *S) const {
    return SE.isKnownNonNegative(S) ||
           SE.isLoopEntryGuardedByCond(Inside, ICmpInst::ICMP_SGE, S, SE.getZero(S->getType()));
  }
  const Loop *Inside;
};

} // namespace

/// Is \p From never behind \p To, as far as it matters in \p Inside? Addresses in different memory
/// have no distance.
static bool isInOrder(const SCEV *From, const SCEV *To, const Loop *Inside, ScalarEvolution &SE) {
  if (isa<SCEVCouldNotCompute>(From) || isa<SCEVCouldNotCompute>(To))
    return false;
  const SCEV *Distance = SE.getMinusSCEV(To, From);
  if (isa<SCEVCouldNotCompute>(Distance))
    return false;
  if (SE.isKnownNonNegative(Distance))
    return true;
  const SCEV *Guarded = SE.applyLoopGuards(Unsigned(SE, Inside).visit(Distance), Inside);
  return SE.isKnownNonNegative(Guarded);
}

/// Does \p Load, in any iteration of the loops inside \p Within, read from [\p First, \p Last]
/// only, which are addresses of elements of its size?
bool ScratchMemory::liesBetween(const LoadInst &Load, const Loop *Within, const SCEV *First,
                                const SCEV *Last) const {
  ScalarEvolution &SE = P.scalarEvolution();
  const SCEV *Read = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  const SCEV *Least = extreme(Read, Within, Load, false), *Most = extreme(Read, Within, Load, true);
  const Loop *Inside = P.loops().getLoopFor(Load.getParent());
  return Least && Most && isInOrder(First, Least, Inside, SE) && isInOrder(Most, Last, Inside, SE);
}

/// Has control passed \p BB on the way to \p Load, since it was last where the ways to both part?
/// Optimisers leave two tests of one condition in front of two loops.
bool ScratchMemory::isPassedBefore(const BasicBlock *BB, const LoadInst &Load) const {
  const DominatorTree &DT = P.dominators();
  const BasicBlock *End = Load.getParent();
  if (BB == End || DT.dominates(BB, End))
    return BB != End;
  const BasicBlock *Above = BB->getSinglePredecessor();
  auto *Way = Above ? dyn_cast<BranchInst>(Above->getTerminator()) : nullptr;
  if (!Way || Above == End)
    return false;
  if (Way->isUnconditional())
    return isPassedBefore(Above, Load);
  return DT.dominates(Above, End) && Way->getSuccessor(0) != Way->getSuccessor(1) &&
         holdsAt(Way->getCondition(), Way->getSuccessor(0) == BB, Above, End);
}

/// Has \p N, which has one way out, run on the way to \p Load?
bool ScratchMemory::isLeftBefore(const Loop &N, const LoadInst &Load) const {
  const BasicBlock *Before = N.getLoopPreheader();
  return P.dominators().dominates(N.getHeader(), Load.getParent()) ||
         (!P.dominators().dominates(Before, Load.getParent()) && isPassedBefore(Before, Load));
}

/// Do the tests on the way from \p Above to \p At say that \p Condition is \p True?
bool ScratchMemory::holdsAt(const Value *Condition, bool True, const BasicBlock *Above,
                            const BasicBlock *At) const {
  const DominatorTree &DT = P.dominators();
  for (const BasicBlock *BB = At; BB != Above;) {
    const BasicBlock *Test = DT.getNode(BB)->getIDom()->getBlock();
    auto *Way = dyn_cast<BranchInst>(Test->getTerminator());
    for (unsigned Side = 0; Way && Way->isConditional() && Side < 2; ++Side)
      if (DT.dominates(BasicBlockEdge(Test, Way->getSuccessor(Side)), BB) &&
          isImpliedCondition(Way->getCondition(), Condition, P.function().getDataLayout(),
                             Side == 0) == True)
        return true;
    BB = Test;
  }
  return false;
}

bool ScratchMemory::covers(MemSetInst &M, LoadInst &Load) const {
  ScalarEvolution &SE = P.scalarEvolution();
  const Loop *Around = P.loops().getLoopFor(M.getParent());
  if (!Around->contains(&Load) || M.isVolatile() ||
      !(M.getParent() == Load.getParent() ? M.comesBefore(&Load)
                                          : isPassedBefore(M.getParent(), Load)))
    return false;
  const SCEV *First = SE.getSCEV(M.getDest()), *Bytes = SE.getSCEV(M.getLength());
  if (SE.getTypeSizeInBits(Bytes->getType()) != SE.getTypeSizeInBits(First->getType()))
    return false;
  uint64_t Size = Load.getDataLayout().getTypeStoreSize(Load.getType());
  const SCEV *Last = SE.getMinusSCEV(Bytes, SE.getConstant(Bytes->getType(), Size));
  return liesBetween(Load, Around, First, SE.getAddExpr(First, Last));
}

bool ScratchMemory::covers(StoreInst &S, LoadInst &Load) const {
  ScalarEvolution &SE = P.scalarEvolution();
  const Loop *N = P.loops().getLoopFor(S.getParent());
  const Loop *Around = N == &L ? nullptr : N->getParentLoop();
  const BasicBlock *Exiting = N->getExitingBlock();
  Value *LastIV = P.canonical(N).LastIV;
  if (!Around || N->contains(&Load) || !Around->contains(&Load) || !LastIV || !Exiting ||
      !P.dominators().dominates(S.getParent(), Exiting) || !isLeftBefore(*N, Load))
    return false;
  auto *Written = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(S.getPointerOperand()));
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(S.getValueOperand()->getType());
  if (!Written || Written->getLoop() != N || !Written->isAffine() ||
      S.getDataLayout().getTypeStoreSize(Load.getType()) != Bytes)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Written->getStepRecurrence(SE));
  if (!Step || Step->getAPInt() != Bytes)
    return false;
  const SCEV *First = Written->getStart();
  // The first iteration takes place wherever the loop is reached.
  return liesBetween(Load, Around, First, First) ||
         liesBetween(Load, Around, First, Written->evaluateAtIteration(SE.getSCEV(LastIV), SE));
}

bool ScratchMemory::isWrittenBefore(LoadInst &Load) {
  if (std::optional<StoredValue> V = Stored.of(Load); V && L.contains(V->Store))
    return true;
  const Value *Object = objectOf(Load.getPointerOperand());
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && objectOf(S->getPointerOperand()) == Object && covers(*S, Load))
        return true;
      if (auto *M = dyn_cast<MemSetInst>(&I);
          M && objectOf(M->getDest()) == Object && covers(*M, Load))
        return true;
    }
  return false;
}

} // namespace isozyme
