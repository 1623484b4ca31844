//===- LowerReductions.cpp - Reductions that are not linear, one by one ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %p = vector.reduce.fmul(%start, %v)  ->  ((%start * %v[0]) * %v[1]) * ...
//   %m = vector.reduce.fmax(%v)          ->  maxnum(maxnum(%v[0], %v[1]), ...)
//
// The product in order is what the operation is without `reassoc`, and one of the
// orders it may have with it. Sums stay: they are linear as they are.
//
// Beside them the operations on matrices, llvm.matrix.multiply and the like.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LowerMatrixIntrinsics.h"

using namespace llvm;

namespace isozyme {

/// The operation on two elements that a reduction to the largest or smallest repeats.
static Intrinsic::ID elementOperation(Intrinsic::ID Reduction) {
  switch (Reduction) {
  case Intrinsic::vector_reduce_fmax:
    return Intrinsic::maxnum;
  case Intrinsic::vector_reduce_fmin:
    return Intrinsic::minnum;
  case Intrinsic::vector_reduce_fmaximum:
    return Intrinsic::maximum;
  case Intrinsic::vector_reduce_fminimum:
    return Intrinsic::minimum;
  default:
    return Intrinsic::not_intrinsic;
  }
}

static Value *reduce(IntrinsicInst &I) {
  bool Product = I.getIntrinsicID() == Intrinsic::vector_reduce_fmul;
  Intrinsic::ID Operation = elementOperation(I.getIntrinsicID());
  if (!Product && Operation == Intrinsic::not_intrinsic)
    return nullptr;
  Value *V = I.getArgOperand(Product ? 1 : 0);
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  if (!T)
    return nullptr;
  IRBuilder<> B(&I);
  B.setFastMathFlags(I.getFastMathFlags());
  Value *Result = Product ? I.getArgOperand(0) : B.CreateExtractElement(V, uint64_t(0));
  for (unsigned Lane = Product ? 0 : 1; Lane < T->getNumElements(); ++Lane) {
    Value *Element = B.CreateExtractElement(V, Lane);
    Result = Product ? B.CreateFMul(Result, Element)
                     : B.CreateBinaryIntrinsic(Operation, Result, Element);
  }
  return Result;
}

/// As LLVM does it in front of the code generator.
void lowerMatrices(Function &F, FunctionAnalysisManager &FAM) {
  auto IsOfMatrix = [](const Instruction &I) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call &&
           is_contained({Intrinsic::matrix_column_major_load, Intrinsic::matrix_column_major_store,
                         Intrinsic::matrix_multiply, Intrinsic::matrix_transpose},
                        Call->getIntrinsicID());
  };
  if (any_of(instructions(F), IsOfMatrix))
    FAM.invalidate(F, LowerMatrixIntrinsicsPass(/*Minimal=*/true).run(F, FAM));
}

void lowerReductions(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    Value *Result = Call ? reduce(*Call) : nullptr;
    if (!Result)
      continue;
    if (!Result->hasName())
      Result->takeName(Call);
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

} // namespace isozyme
