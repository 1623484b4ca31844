//===- RuleInterpreterDigamma.cpp - Derivatives of lgamma ------------------===//
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
// Likewise trigamma, its derivative, for the rule of digamma where the program calls one:
//
//   x < 0 or x = 0:  trigamma(x) = (pi / sin(pi r))^2 - trigamma(1 - x)              DLMF 5.15.6
//   x < 10:          trigamma(x) = trigamma(x + 1) + 1 / x^2                         DLMF 5.15.5
//   else:            1/x + 1/(2x^2) + sum of B(2k) / x^(2k+1), k = 1..8              DLMF 5.15.8
//
// The first terms left out are below 1e-17 at x = 10. As ordinary IR both can be
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

enum class Polygamma : uint8_t { Digamma, Trigamma };

/// By the library of a GPU, whose code generators know no intrinsics of this kind.
Value *emitFunction(IRBuilderBase &B, Op Id, Value *X) {
  Module &M = *B.GetInsertBlock()->getModule();
  const MathFamily Library = libraryOf(M);
  if (Library == MathFamily::Libm)
    return B.CreateUnaryIntrinsic(opInfo(Id).Intrinsic, X, {}, opName(Id));
  FunctionType *T = FunctionType::get(X->getType(), {X->getType()}, false);
  CallInst *Call =
      B.CreateCall(M.getOrInsertFunction(mathName(Id, Library, X->getType()), T), X, opName(Id));
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::none());
  return Call;
}

/// The last line of each, by Horner's scheme in 1/x^2.
Value *emitAsymptotic(IRBuilderBase &B, Value *X, Polygamma Which) {
  Type *Double = B.getDoubleTy();
  const bool IsDigamma = Which == Polygamma::Digamma;
  Value *Inverse = B.CreateFDiv(ConstantFP::get(Double, 1.0), X, "inverse");
  Value *Square = B.CreateFMul(Inverse, Inverse, "square");
  Value *Sum = ConstantFP::get(Double, 0.0);
  for (unsigned K = std::size(SeriesCoefficients); K > 0; --K) {
    const double C = SeriesCoefficients[K - 1] * (IsDigamma ? 1 : 2 * K);
    Sum = B.CreateFMul(B.CreateFAdd(Sum, ConstantFP::get(Double, C)), Square);
  }
  Value *Half = B.CreateFMul(Inverse, ConstantFP::get(Double, 0.5), "half");
  if (IsDigamma) {
    Value *Log = emitFunction(B, Op::Log, X);
    return B.CreateFSub(B.CreateFSub(Log, Half), Sum, "asymptotic");
  }
  Value *Factor = B.CreateFAdd(B.CreateFAdd(Half, Sum), ConstantFP::get(Double, 1.0));
  return B.CreateFMul(Inverse, Factor, "asymptotic");
}

/// What the function is by \p Upper, its value at 1 - x. r = x - rint(x) is exact.
Value *emitReflected(IRBuilderBase &B, Value *X, Value *Upper, Polygamma Which) {
  Type *Double = B.getDoubleTy();
  Value *Pi = ConstantFP::get(Double, 3.14159265358979323846);
  Value *Rest = B.CreateFSub(X, B.CreateUnaryIntrinsic(Intrinsic::rint, X), "rest");
  Value *Angle = B.CreateFMul(Pi, Rest);
  if (Which == Polygamma::Digamma) {
    Value *Tan = emitFunction(B, Op::Tan, Angle);
    return B.CreateFSub(Upper, B.CreateFDiv(Pi, Tan, "cotangent"), "reflected");
  }
  Value *Sin = emitFunction(B, Op::Sin, Angle);
  Value *Cosecant = B.CreateFDiv(Pi, Sin, "cosecant");
  return B.CreateFSub(B.CreateFMul(Cosecant, Cosecant), Upper, "reflected");
}

/// define internal double @__isozyme_digamma(double %x)
///   entry:  the reflected argument, if any
///   shift:  while z < 10: sum -= 1/z (trigamma: += 1/z^2), z += 1
///   series: the result
void fillPolygamma(Function &F, Polygamma Which) {
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
  Value *Inverse = B.CreateFDiv(One, Z);
  Value *NextSum = Which == Polygamma::Digamma ? B.CreateFSub(Sum, Inverse)
                                               : B.CreateFAdd(Sum, B.CreateFMul(Inverse, Inverse));
  Value *NextZ = B.CreateFAdd(Z, One);
  B.CreateBr(Shift);
  Z->addIncoming(Start, Entry);
  Z->addIncoming(NextZ, Step);
  Sum->addIncoming(Zero, Entry);
  Sum->addIncoming(NextSum, Step);

  B.SetInsertPoint(Series);
  Value *Upper = B.CreateFAdd(emitAsymptotic(B, Z, Which), Sum, "upper");
  Value *Reflected = emitReflected(B, X, Upper, Which);
  B.CreateRet(B.CreateSelect(IsLow, Reflected, Upper));
}

Function *polygammaFunction(Module &M, Op Id, Polygamma Which) {
  StringRef Name = opName(Id);
  if (Function *F = M.getFunction(Name))
    return F;
  Type *Double = Type::getDoubleTy(M.getContext());
  auto *F = Function::Create(FunctionType::get(Double, {Double}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::none());
  fillPolygamma(*F, Which);
  return F;
}

} // namespace

Function *digammaFunction(Module &M) {
  return polygammaFunction(M, Op::Digamma, Polygamma::Digamma);
}

Function *trigammaFunction(Module &M) {
  return polygammaFunction(M, Op::Trigamma, Polygamma::Trigamma);
}

} // namespace isozyme
