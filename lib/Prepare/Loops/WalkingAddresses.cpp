//===- WalkingAddresses.cpp - Pointers that loops move on -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int column = 0; column < d; column++)      the pointer p becomes a number k:
//     for (int row = column + 1; row < d; row++)      use(p0[k], row), ++k
//       use(*p++, row);
//
// A reverse sweep that runs through the loops backwards has to know how far the pointer was.
// It would keep the address and that of the shadow, for all iterations of all loops around,
// for they begin at an address. The number is the same wherever the loops begin, has no
// shadow, and counters and the planner know what to do with it.
//
// In: any function.  Out: phis of addresses that have one beginning and move by multiples of
// one size are phis of integers, each with an address computed from it. Loops that move by the
// same distance each time are left to the step "loops".
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"
#include <numeric>

using namespace llvm;

namespace isozyme {

namespace {

/// The phis that a pointer goes through in a loop, from one beginning in front of it.
class Walk {
public:
  Walk(PHINode &First, const Loop &L)
      : L(L), DL(First.getDataLayout()),
        Index(cast<IntegerType>(DL.getIndexType(First.getType()))) {
    Phis.insert(&First);
  }

  bool complete();
  void rewrite();
  ArrayRef<PHINode *> phis() const { return Phis.getArrayRef(); }

private:
  using Offsets = SmallMapVector<Value *, APInt, 4>;

  bool isMove(const Value *V) const {
    return isa<GetElementPtrInst>(V) && !V->getType()->isVectorTy() && !L.isLoopInvariant(V);
  }
  bool addMove(const GEPOperator &GEP);
  bool follow(Value *V);
  Value *numberOf(Value *V);
  Value *numberOfMove(GEPOperator &GEP);

  const Loop &L;
  const DataLayout &DL;
  IntegerType *Index;
  SmallSetVector<PHINode *, 4> Phis;
  WeakTrackingVH Begin;    ///< May be a phi of another walk.
  uint64_t Step = 0;       ///< All moves are multiples of it, in bytes.
  Type *Element = nullptr; ///< What the moves say is there.
  DenseMap<Value *, Value *> Numbers;
};

} // namespace

bool Walk::addMove(const GEPOperator &GEP) {
  Offsets Variable;
  APInt Constant(Index->getBitWidth(), 0);
  if (!GEP.collectOffset(DL, Index->getBitWidth(), Variable, Constant))
    return false;
  for (auto &[V, Scale] : Variable)
    Step = std::gcd(Step, Scale.abs().getZExtValue());
  Step = std::gcd(Step, Constant.abs().getZExtValue());
  if (!Element)
    Element = GEP.getSourceElementType();
  return true;
}

/// Takes in what comes to a phi: another one, or the beginning.
bool Walk::follow(Value *V) {
  for (; isMove(V); V = cast<GEPOperator>(V)->getPointerOperand())
    if (!addMove(*cast<GEPOperator>(V)))
      return false;
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && L.contains(Phi)) {
    Phis.insert(Phi);
    return true;
  }
  if (!L.isLoopInvariant(V) || (Begin && Begin != V))
    return false;
  Begin = V;
  return true;
}

bool Walk::complete() {
  for (unsigned At = 0; At < Phis.size(); ++At)
    for (Value *V : Phis[At]->incoming_values())
      if (!follow(V))
        return false;
  return Begin && Step && !isa<UndefValue, ConstantPointerNull>(&*Begin);
}

Value *Walk::numberOfMove(GEPOperator &GEP) {
  Offsets Variable;
  APInt Constant(Index->getBitWidth(), 0);
  GEP.collectOffset(DL, Index->getBitWidth(), Variable, Constant);
  IRBuilder<> B(cast<Instruction>(&GEP));
  Value *Number = numberOf(GEP.getPointerOperand());
  APInt Unit(Index->getBitWidth(), Step);
  for (auto &[V, Scale] : Variable) {
    Value *Wide = B.CreateSExtOrTrunc(V, Index);
    APInt Factor = Scale.sdiv(Unit);
    Number = B.CreateAdd(Number, Factor.isOne() ? Wide : B.CreateMul(Wide, B.getInt(Factor)));
  }
  if (!Constant.isZero())
    Number = B.CreateAdd(Number, B.getInt(Constant.sdiv(Unit)));
  return Number;
}

/// How many steps \p V, which comes to a phi, is away from the beginning.
Value *Walk::numberOf(Value *V) {
  if (V == Begin)
    return ConstantInt::get(Index, 0);
  if (Value *Known = Numbers.lookup(V))
    return Known;
  return Numbers[V] = numberOfMove(*cast<GEPOperator>(V));
}

void Walk::rewrite() {
  if (DL.getTypeAllocSize(Element) != TypeSize::getFixed(Step))
    Element = ArrayType::get(Type::getInt8Ty(Index->getContext()), Step);
  for (PHINode *Phi : Phis) {
    IRBuilder<> B(Phi);
    Numbers[Phi] = B.CreatePHI(Index, Phi->getNumIncomingValues(), Phi->getName() + ".steps");
  }
  for (PHINode *Phi : Phis)
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      cast<PHINode>(Numbers[Phi])
          ->addIncoming(numberOf(Phi->getIncomingValue(I)), Phi->getIncomingBlock(I));
  SmallVector<WeakTrackingVH, 8> Old;
  for (PHINode *Phi : Phis) {
    IRBuilder<> B(Phi->getParent(), Phi->getParent()->getFirstInsertionPt());
    B.SetCurrentDebugLocation(Phi->getDebugLoc());
    Value *Address = B.CreateGEP(Element, Begin, Numbers[Phi]);
    Address->takeName(Phi);
    Phi->replaceAllUsesWith(Address);
    Old.push_back(Address);
    Old.append(Phi->value_op_begin(), Phi->value_op_end());
  }
  for (PHINode *Phi : Phis)
    Phi->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
}

void numberWalkingAddresses(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Walk, 4> Walks;
  SmallPtrSet<const PHINode *, 16> Done;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    for (PHINode &Phi : L->getHeader()->phis()) {
      if (!Phi.getType()->isPointerTy() || Done.contains(&Phi))
        continue;
      auto *Counted = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      if (Counted && Counted->getLoop() == L && Counted->isAffine())
        continue;
      Walk W(Phi, *L);
      if (!W.complete())
        continue;
      Done.insert_range(W.phis());
      Walks.push_back(std::move(W));
    }
  for (Walk &W : Walks)
    W.rewrite();
}

} // namespace isozyme
