//===- LowerComplexMath.cpp - One form for functions of complex numbers ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   cexp(z), in any calling convention  ->  <2 x F> @isozyme.cexp(<2 x F>)
//   Faddeeva_erf(z, error)              ->  <2 x F> @isozyme.Faddeeva_erf(<2 x F>, F)
//   cabs(z), carg(z)                    ->  hypot(re, im), atan2(im, re)
//   creal(z), cimag(z), conj(z)         ->  re, im, re and -im
//
// As vectors of two, complex numbers are floats to every later stage. C defines cabs
// and carg by hypot and atan2: the numbers stay the same.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/ComplexCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A `hypot` with a body is the user's own.
bool hasOwnFunction(const Module &M, StringRef Name) {
  const Function *F = M.getFunction(Name);
  return F && !F->isDeclaration();
}

/// hypot(re, im), or atan2(im, re). Null if that cannot be called.
Value *emitOfParts(IRBuilderBase &B, Module &M, const ComplexCall &What, ComplexParts Z) {
  const std::string Name = mathName(What.Id, MathFamily::Libm, What.Float, What.Suffix);
  if (Name.empty() || hasOwnFunction(M, Name))
    return nullptr;
  FunctionCallee Callee = M.getOrInsertFunction(Name, What.Float, What.Float, What.Float);
  SmallVector<Value *, 2> Operands = {Z.Re, Z.Im};
  if (What.Id == Op::Atan2)
    std::swap(Operands[0], Operands[1]);
  CallInst *Call = B.CreateCall(Callee, Operands, opName(What.Id));
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::none());
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

ComplexParts emitComplex(IRBuilderBase &B, CallInst &Call, const ComplexCall &What) {
  auto *Pair = FixedVectorType::get(What.Float, 2);
  SmallVector<Value *, 2> Operands(operandsBefore(Call, What));
  for (unsigned I = 0, N = numComplexOperands(opInfo(What.Id).Sig); I < N; ++I) {
    ComplexParts Z = complexOperand(B, Call, What, I);
    Value *V = B.CreateInsertElement(PoisonValue::get(Pair), Z.Re, uint64_t(0));
    Operands.push_back(B.CreateInsertElement(V, Z.Im, uint64_t(1)));
  }
  Operands.append(operandsBehind(Call, What));
  CallInst *Result = B.CreateCall(&complexFunction(Call, What), Operands);
  return {B.CreateExtractElement(Result, uint64_t(0)), B.CreateExtractElement(Result, uint64_t(1))};
}

void lowerCall(CallInst &Call, const ComplexCall &What) {
  IRBuilder<> B(&Call);
  if (isa<FPMathOperator>(Call))
    B.setFastMathFlags(Call.getFastMathFlags());
  if (What.K == ComplexCall::Complex) {
    ComplexParts Result = emitComplex(B, Call, What);
    return replaceComplexCall(B, Call, What, Result);
  }
  ComplexParts Z = complexOperand(B, Call, What, 0);
  switch (What.K) {
  case ComplexCall::OfParts:
    Z.Re = emitOfParts(B, *Call.getModule(), What, Z);
    break;
  case ComplexCall::Imaginary:
    Z.Re = Z.Im;
    break;
  case ComplexCall::Conjugate:
    Z.Im = B.CreateFNeg(Z.Im);
    break;
  case ComplexCall::Real:
  case ComplexCall::Complex:
    break;
  }
  if (Z.Re)
    replaceComplexCall(B, Call, What, Z);
}

} // namespace

void lowerComplexMath(Function &F) {
  SmallVector<std::pair<CallInst *, ComplexCall>, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (std::optional<ComplexCall> What = complexCall(*Call))
        Calls.push_back({Call, *What});
  for (auto &[Call, What] : Calls)
    lowerCall(*Call, What);
}

} // namespace isozyme
