//===- LowerPairedMath.cpp - Functions with two results become two ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang writes modf, frexp and sincos as one operation with two results. Each
// result alone is an operation that the rule table knows:
//
//   {s, c} = llvm.sincos(x)    ->  s = llvm.sin(x), c = llvm.cos(x)
//   sincos(x, p, q)            ->  *p = sin(x), *q = cos(x), and other such functions
//   {f, w} = llvm.modf(x)      ->  w = llvm.trunc(x)
//                                  f = copysign(x is infinite ? 0 : x - w, x)
//   {f, e} = llvm.frexp(x)     ->  f = llvm.ldexp(x, -e), e stays
//   {f, s} = logabsgamma(x)    ->  f with the derivative of lgamma(x), s stays
//
// The numbers stay the same, bit for bit: x - w and the scaling are exact.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Ops/SincosCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Lets everything that used the pair use the two values, which are available at
/// \p B. One of them may itself be taken from the pair.
void replacePair(IRBuilderBase &B, CallInst &Pair, Value *First, Value *Second) {
  SmallVector<ExtractValueInst *, 2> Extracts;
  SmallVector<Use *, 2> Others; // Returned, stored or passed on as a whole.
  for (Use &U : Pair.uses()) {
    if (U.getUser() == First || U.getUser() == Second)
      continue;
    if (auto *E = dyn_cast<ExtractValueInst>(U.getUser()))
      Extracts.push_back(E);
    else
      Others.push_back(&U);
  }
  if (!Others.empty()) {
    Value *Whole = B.CreateInsertValue(PoisonValue::get(Pair.getType()), First, 0);
    Whole = B.CreateInsertValue(Whole, Second, 1);
    for (Use *U : Others)
      U->set(Whole);
  }
  for (ExtractValueInst *E : Extracts) {
    E->replaceAllUsesWith(E->getIndices()[0] == 0 ? First : Second);
    E->eraseFromParent();
  }
  if (Pair.use_empty())
    Pair.eraseFromParent();
}

void lowerSincosIntrinsic(CallInst &Pair) {
  IRBuilder<> B(&Pair);
  B.setFastMathFlags(Pair.getFastMathFlags());
  Value *X = Pair.getArgOperand(0);
  Value *Sin = B.CreateUnaryIntrinsic(Intrinsic::sin, X, {}, "sin");
  Value *Cos = B.CreateUnaryIntrinsic(Intrinsic::cos, X, {}, "cos");
  replacePair(B, Pair, Sin, Cos);
}

void lowerModf(CallInst &Pair) {
  IRBuilder<> B(&Pair);
  B.setFastMathFlags(Pair.getFastMathFlags());
  Value *X = Pair.getArgOperand(0);
  Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::trunc, X, {}, "whole");
  Value *IsInfinite = B.CreateFCmpOEQ(B.CreateUnaryIntrinsic(Intrinsic::fabs, X),
                                      ConstantFP::getInfinity(X->getType()));
  Value *Rest =
      B.CreateSelect(IsInfinite, ConstantFP::get(X->getType(), 0.0), B.CreateFSub(X, Whole));
  Value *Fraction = B.CreateBinaryIntrinsic(Intrinsic::copysign, Rest, X, {}, "fraction");
  replacePair(B, Pair, Fraction, Whole);
}

void lowerFrexp(CallInst &Pair) {
  IRBuilder<> B(Pair.getNextNode());
  B.SetCurrentDebugLocation(Pair.getDebugLoc());
  Value *X = Pair.getArgOperand(0);
  Value *Exponent = B.CreateExtractValue(&Pair, 1, "exponent");
  Value *Fraction = B.CreateIntrinsic(Intrinsic::ldexp, {X->getType(), Exponent->getType()},
                                      {X, B.CreateNeg(Exponent)}, {}, "fraction");
  replacePair(B, Pair, Fraction, Exponent);
}

std::string nameFor(const CallInst &Call, const SincosCall &What, Op Id) {
  return mathName(Id, What.Family, Call.getArgOperand(0)->getType(), What.Suffix);
}

void lowerSincosCall(CallInst &Call, const SincosCall &What) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *X = Call.getArgOperand(0);
  SmallVector<Value *, 2> Results;
  for (Op Id : {What.Sine, What.Cosine}) {
    FunctionCallee Callee =
        M.getOrInsertFunction(nameFor(Call, What, Id), X->getType(), X->getType());
    CallInst *Result = B.CreateCall(Callee, X, opName(Id));
    Result->setDoesNotThrow();
    Result->setMemoryEffects(MemoryEffects::none());
    Result->addFnAttr(Attribute::WillReturn);
    Results.push_back(Result);
  }
  switch (What.Results) {
  case SincosCall::Pair:
    return replacePair(B, Call, Results[0], Results[1]);
  case SincosCall::Pointers:
    B.CreateStore(Results[0], Call.getArgOperand(1));
    B.CreateStore(Results[1], Call.getArgOperand(2));
    break;
  case SincosCall::CosineByPointer:
    B.CreateStore(Results[1], Call.getArgOperand(1));
    Call.replaceAllUsesWith(Results[0]);
    break;
  }
  Call.eraseFromParent();
}

void lowerSignedLogGamma(CallInst &Pair) {
  Module &M = *Pair.getModule();
  Value *X = Pair.getArgOperand(0);
  const std::string Name = mathName(Op::LGamma, MathFamily::Libm, X->getType());
  const Function *Known = M.getFunction(Name);
  if (Name.empty() || (Known && !Known->isDeclaration()))
    return;
  IRBuilder<> B(Pair.getNextNode());
  B.SetCurrentDebugLocation(Pair.getDebugLoc());
  CallInst *Log = B.CreateCall(M.getOrInsertFunction(Name, X->getType(), X->getType()), X);
  Log->setDoesNotThrow();
  Log->setMemoryEffects(MemoryEffects::none());
  Log->addFnAttr(Attribute::WillReturn);
  CallInst *Value = B.CreateCall(standInFunction(M, X->getType()),
                                 {Log, PoisonValue::get(X->getType())}, "value");
  auto *Sign = B.CreateExtractValue(&Pair, 1, "sign");
  replacePair(B, Pair, Value, Sign);
  B.SetInsertPoint(Value);
  Value->setArgOperand(1, B.CreateExtractValue(&Pair, 0));
}

/// Are there functions for both? A `sin` with a body is the user's own.
bool canSplit(const CallInst &Call, const SincosCall &What) {
  return all_of(ArrayRef{What.Sine, What.Cosine}, [&](Op Id) {
    const std::string Name = nameFor(Call, What, Id);
    const Function *F = Call.getModule()->getFunction(Name);
    return !Name.empty() && (!F || F->isDeclaration());
  });
}

} // namespace

void lowerPairedMath(Function &F) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    switch (Call->getIntrinsicID()) {
    case Intrinsic::sincos:
      lowerSincosIntrinsic(*Call);
      break;
    case Intrinsic::modf:
      lowerModf(*Call);
      break;
    case Intrinsic::frexp:
      lowerFrexp(*Call);
      break;
    case Intrinsic::sincospi:
    case Intrinsic::not_intrinsic:
      if (isSignedLogGamma(*Call)) {
        lowerSignedLogGamma(*Call);
        break;
      }
      if (std::optional<SincosCall> What = sincosCall(*Call); What && canSplit(*Call, *What))
        lowerSincosCall(*Call, *What);
      break;
    default:
      break;
    }
  }
}

} // namespace isozyme
