//===- RuleInterpreterDigamma.cpp - The derivative of lgamma ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C has no digamma, so the rules of tgamma and lgamma bring their own, as an
// internal function of the module:
//
//   x < 0 or x = 0:  digamma(x) = digamma(1 - x) - pi / tan(pi r), r = x - rint(x)   DLMF 5.5.4
//   x < 10:          digamma(x) = digamma(x + 1) - 1 / x                             DLMF 5.5.2
//   else:            log(x) - 1/(2x) - sum of B(2k) / (2k x^(2k)), k = 1..8          DLMF 5.11.2
//
// The first term left out is below 1e-17 at x = 10. As ordinary IR it can be
// optimised, and differentiated again.
//
//===----------------------------------------------------------------------===//
#include "RuleInterpreterParts.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// B(2k) / 2k for k = 1..8.
constexpr double SeriesCoefficients[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                         1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};

/// log(x) - 1/(2x) - series, by Horner's scheme in 1/x^2.
Value *emitAsymptotic(IRBuilderBase &B, Value *X) {
  Type *Double = B.getDoubleTy();
  Value *Inverse = B.CreateFDiv(ConstantFP::get(Double, 1.0), X, "inverse");
  Value *Square = B.CreateFMul(Inverse, Inverse, "square");
  Value *Sum = ConstantFP::get(Double, 0.0);
  for (double C : reverse(SeriesCoefficients))
    Sum = B.CreateFMul(B.CreateFAdd(Sum, ConstantFP::get(Double, C)), Square);
  Value *Log = B.CreateUnaryIntrinsic(Intrinsic::log, X, {}, "log");
  Value *Half = B.CreateFMul(Inverse, ConstantFP::get(Double, 0.5), "half");
  return B.CreateFSub(B.CreateFSub(Log, Half), Sum, "asymptotic");
}

/// pi / tan(pi r) with r = x - rint(x), which is exact.
Value *emitCotangent(IRBuilderBase &B, Value *X) {
  Type *Double = B.getDoubleTy();
  Value *Pi = ConstantFP::get(Double, 3.14159265358979323846);
  Value *Rest = B.CreateFSub(X, B.CreateUnaryIntrinsic(Intrinsic::rint, X), "rest");
  Value *Tan = B.CreateUnaryIntrinsic(Intrinsic::tan, B.CreateFMul(Pi, Rest), {}, "tan");
  return B.CreateFDiv(Pi, Tan, "cotangent");
}

/// define internal double @__isozyme_digamma(double %x)
///   entry:  the reflected argument, if any
///   shift:  while z < 10: sum -= 1/z, z += 1
///   series: the result
void fillDigamma(Function &F) {
  LLVMContext &C = F.getContext();
  auto *Entry = BasicBlock::Create(C, "entry", &F);
  auto *Shift = BasicBlock::Create(C, "shift", &F);
  auto *Step = BasicBlock::Create(C, "step", &F);
  auto *Series = BasicBlock::Create(C, "series", &F);
  Value *X = F.getArg(0);
  IRBuilder<> B(Entry);
  Type *Double = B.getDoubleTy();
  Value *Zero = ConstantFP::get(Double, 0.0), *One = ConstantFP::get(Double, 1.0);

  Value *IsLow = B.CreateFCmpOLE(X, Zero, "is.low");
  Value *Start = B.CreateSelect(IsLow, B.CreateFSub(One, X), X, "start");
  B.CreateBr(Shift);

  B.SetInsertPoint(Shift);
  PHINode *Z = B.CreatePHI(Double, 2, "z"), *Sum = B.CreatePHI(Double, 2, "sum");
  B.CreateCondBr(B.CreateFCmpOLT(Z, ConstantFP::get(Double, 10.0)), Step, Series);

  B.SetInsertPoint(Step);
  Value *NextSum = B.CreateFSub(Sum, B.CreateFDiv(One, Z));
  Value *NextZ = B.CreateFAdd(Z, One);
  B.CreateBr(Shift);
  Z->addIncoming(Start, Entry);
  Z->addIncoming(NextZ, Step);
  Sum->addIncoming(Zero, Entry);
  Sum->addIncoming(NextSum, Step);

  B.SetInsertPoint(Series);
  Value *Upper = B.CreateFAdd(emitAsymptotic(B, Z), Sum, "upper");
  Value *Reflected = B.CreateFSub(Upper, emitCotangent(B, X), "reflected");
  B.CreateRet(B.CreateSelect(IsLow, Reflected, Upper));
}

} // namespace

Function *digammaFunction(Module &M) {
  StringRef Name = opName(Op::Digamma);
  if (Function *F = M.getFunction(Name))
    return F;
  Type *Double = Type::getDoubleTy(M.getContext());
  auto *F = Function::Create(FunctionType::get(Double, {Double}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::none());
  fillDigamma(*F);
  return F;
}

} // namespace isozyme
