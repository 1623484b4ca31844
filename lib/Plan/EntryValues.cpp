//===- EntryValues.cpp - Values of a function, computed elsewhere ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/EntryValues.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace isozyme {

EntryValues::EntryValues(const PreparedFunction &P, IRBuilder<> &B, ArrayRef<Value *> Parameters)
    : B(B) {
  for (auto [Param, Here] : zip_equal(P.function().args(), Parameters))
    Known[&Param] = Here;
}

Value *EntryValues::of(const Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return const_cast<Constant *>(C);
  if (Value *Done = Known.lookup(V))
    return Done;
  auto *I = cast<Instruction>(V);
  SmallVector<Value *, 3> Operands;
  for (const Use &Operand : I->operands())
    Operands.push_back(isa<Function>(Operand) ? Operand.get() : of(Operand.get()));
  Instruction *Copy = I->clone();
  for (unsigned N = 0; N < Operands.size(); ++N)
    Copy->setOperand(N, Operands[N]);
  // It is computed where the original may not be.
  Copy->dropPoisonGeneratingFlags();
  Copy->dropUnknownNonDebugMetadata();
  Copy->setDebugLoc({});
  return Known[V] = B.Insert(Copy);
}

static Intrinsic::ID extremumOf(SCEVTypes T) {
  switch (T) {
  case scSMaxExpr:
    return Intrinsic::smax;
  case scUMaxExpr:
    return Intrinsic::umax;
  case scSMinExpr:
    return Intrinsic::smin;
  case scUMinExpr:
    return Intrinsic::umin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// A sum, product or extremum.
Value *EntryValues::chain(const SCEV *S) {
  auto *N = cast<SCEVNAryExpr>(S);
  Value *Result = of(N->getOperand(0));
  for (const SCEV *Operand : drop_begin(N->operands())) {
    Value *Next = of(Operand);
    if (isa<SCEVAddExpr>(S))
      Result = B.CreateAdd(Result, Next);
    else if (isa<SCEVMulExpr>(S))
      Result = B.CreateMul(Result, Next);
    else
      Result = B.CreateBinaryIntrinsic(extremumOf(S->getSCEVType()), Result, Next);
  }
  return Result;
}

Value *EntryValues::of(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getValue();
  case scUnknown:
    return of(cast<SCEVUnknown>(S)->getValue());
  case scTruncate:
    return B.CreateTrunc(of(cast<SCEVCastExpr>(S)->getOperand()), S->getType());
  case scZeroExtend:
    return B.CreateZExt(of(cast<SCEVCastExpr>(S)->getOperand()), S->getType());
  case scSignExtend:
    return B.CreateSExt(of(cast<SCEVCastExpr>(S)->getOperand()), S->getType());
  case scPtrToInt:
    return B.CreatePtrToInt(of(cast<SCEVCastExpr>(S)->getOperand()), S->getType());
  case scUDivExpr:
    return B.CreateUDiv(of(cast<SCEVUDivExpr>(S)->getLHS()), of(cast<SCEVUDivExpr>(S)->getRHS()));
  default:
    return chain(S);
  }
}

Value *EntryValues::extreme(ArrayRef<const SCEV *> Formulas, bool Largest) {
  Value *Result = of(Formulas.front());
  for (const SCEV *S : drop_begin(Formulas))
    Result = B.CreateBinaryIntrinsic(Largest ? Intrinsic::smax : Intrinsic::smin, Result, of(S));
  return Result;
}

} // namespace isozyme
