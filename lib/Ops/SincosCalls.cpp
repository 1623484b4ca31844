//===- SincosCalls.cpp - Sine and cosine by one call -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/SincosCalls.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

namespace {

/// "sincosf" after the prefix of its family; sincospi before sincos, which it starts with.
std::optional<SincosCall> parseBase(StringRef Name, MathFamily Family, SincosCall::Form Results) {
  if (std::optional<FloatSuffix> Suffix = suffixAfter(Name, "sincospi"))
    return SincosCall{Results, Op::Sinpi, Op::Cospi, Family, *Suffix};
  if (std::optional<FloatSuffix> Suffix = suffixAfter(Name, "sincos"))
    return SincosCall{Results, Op::Sin, Op::Cos, Family, *Suffix};
  return std::nullopt;
}

bool isPairOf(const Type *T, const Type *Float) {
  const auto *S = dyn_cast<StructType>(T);
  return S && S->getNumElements() == 2 && S->getElementType(0) == Float &&
         S->getElementType(1) == Float;
}

bool fits(const FunctionType &T, SincosCall::Form Results, const Type *Float) {
  const unsigned Pointers = Results == SincosCall::Pointers          ? 2
                            : Results == SincosCall::CosineByPointer ? 1
                                                                     : 0;
  if (T.isVarArg() || T.getNumParams() != 1 + Pointers)
    return false;
  for (unsigned I = 1; I <= Pointers; ++I)
    if (!T.getParamType(I)->isPointerTy())
      return false;
  switch (Results) {
  case SincosCall::Pointers:
    return T.getReturnType()->isVoidTy();
  case SincosCall::CosineByPointer:
    return T.getReturnType() == Float;
  case SincosCall::Pair:
    return isPairOf(T.getReturnType(), Float);
  }
  return false;
}

} // namespace

std::optional<SincosCall> parseSincosName(StringRef Name) {
  if (Name.consume_front("__nv_")) {
    Name.consume_front("fast_");
    return parseBase(Name, MathFamily::Libdevice, SincosCall::Pointers);
  }
  if (Name.consume_front("__ocml_")) {
    const size_t Type = Name.rfind("_f");
    if (Type == StringRef::npos)
      return std::nullopt;
    const std::string Joined = (Name.take_front(Type) + Name.drop_front(Type + 1)).str();
    return parseBase(Joined, MathFamily::Ocml, SincosCall::CosineByPointer);
  }
  if (Name == "__fd_sincos_1" || Name == "__fs_sincos_1")
    return SincosCall{SincosCall::Pair, Op::Sin, Op::Cos, MathFamily::Pgmath,
                      Name[3] == 'd' ? FloatSuffix::None : FloatSuffix::F};
  if (Name.consume_front("__") && Name.consume_back("_stret"))
    return parseBase(Name, MathFamily::Libm, SincosCall::Pair);
  return parseBase(Name, MathFamily::Libm, SincosCall::Pointers);
}

std::optional<SincosCall> sincosCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->getFunctionType() != Call.getFunctionType() ||
      Call.arg_empty())
    return std::nullopt;
  const Type *Float = Call.getArgOperand(0)->getType();
  // LLVM has an intrinsic for both, but for neither alone.
  if (Callee->getIntrinsicID() == Intrinsic::sincospi && !Float->isVectorTy())
    return SincosCall{SincosCall::Pair, Op::Sinpi, Op::Cospi, MathFamily::Libm, FloatSuffix::None};
  std::optional<SincosCall> What = parseSincosName(Callee->getName());
  if (!What || !fits(*Callee->getFunctionType(), What->Results, Float) ||
      !suffixFits(What->Suffix, What->Family, Float))
    return std::nullopt;
  return What;
}

} // namespace isozyme
