//===- LowerWidePowers.cpp - Integer powers of wide exponents -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No target has code for llvm.powi with an exponent that is not an `int`. A derivative
// would contain more of them:
//
//   %y = call double @llvm.powi.f64.i64(double %x, i64 3)
//   =>  %y = call double @llvm.powi.f64.i32(double %x, i32 3)
//   %y = call double @llvm.powi.f64.i64(double %x, i64 %n)
//   =>  %float = sitofp i64 %n to double
//       %y = call double @llvm.pow.f64(double %x, double %float)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static Value *withUsualExponent(IntrinsicInst &Power, Type *Int) {
  IRBuilder<> B(&Power);
  B.setFastMathFlags(Power.getFastMathFlags());
  Value *Base = Power.getArgOperand(0), *Exponent = Power.getArgOperand(1);
  auto *Known = dyn_cast<ConstantInt>(Exponent);
  if (Known ? Known->getValue().isSignedIntN(Int->getIntegerBitWidth())
            : Exponent->getType()->getIntegerBitWidth() < Int->getIntegerBitWidth())
    return B.CreateIntrinsic(Intrinsic::powi, {Base->getType(), Int},
                             {Base, B.CreateSExtOrTrunc(Exponent, Int)});
  Value *Float = B.CreateSIToFP(Exponent, Base->getType()->getScalarType());
  if (auto *Vector = dyn_cast<VectorType>(Base->getType()))
    Float = B.CreateVectorSplat(Vector->getElementCount(), Float);
  return B.CreateBinaryIntrinsic(Intrinsic::pow, Base, Float);
}

void lowerWidePowers(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Power = dyn_cast<IntrinsicInst>(&I);
    if (!Power || Power->getIntrinsicID() != Intrinsic::powi)
      continue;
    Type *Int = Type::getIntNTy(F.getContext(), TLI.getIntSize());
    if (Power->getArgOperand(1)->getType() == Int)
      continue;
    Value *New = withUsualExponent(*Power, Int);
    New->takeName(Power);
    Power->replaceAllUsesWith(New);
    Power->eraseFromParent();
  }
}

} // namespace isozyme
