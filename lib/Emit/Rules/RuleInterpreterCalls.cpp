//===- RuleInterpreterCalls.cpp - Math calls inside rules ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call node of a rule becomes a call of the same family as the original: what
// the user's program already links against.
//
//   sinf(x)            ->  cosf(x)
//   llvm.sin.v4f32(x)  ->  llvm.cos.v4f32(x)
//   erf on half        ->  half <- float: llvm.exp
//
// Where a rule calls the function under differentiation itself, it is that very function.
// Functions on vectors of other libraries call the same library. Functions without a vector form
// are called once per element; half and bfloat
// go through float where the family has no function for them.
//
//===----------------------------------------------------------------------===//
#include "RuleInterpreterParts.h"
#include "isozyme/Ops/ComplexCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/VectorNames.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Intrinsics that every target turns into a few instructions: no need for a
/// library call even where the original is one.
bool isCheapIntrinsic(Op Id) {
  switch (Id) {
  case Op::Sqrt:
  case Op::FAbs:
  case Op::CopySign:
  case Op::RoundEven:
  case Op::Powi:
    return true;
  default:
    return false;
  }
}

/// A function of this name with a body is the user's own; it may compute anything. On a GPU it
/// may be the library's.
bool isTaken(const Module &M, StringRef Name) {
  const GlobalValue *G = M.getNamedValue(Name);
  const auto *F = dyn_cast_or_null<Function>(G);
  return G && (!F || (!F->isDeclaration() && markedLike(*F) != Name));
}

Value *emitIntrinsic(IRBuilderBase &B, Op Id, ArrayRef<Value *> Args, Type *Float) {
  const Intrinsic::ID Intr = opInfo(Id).Intrinsic;
  SmallVector<Type *, 2> Overloads = {Float};
  if (opInfo(Id).Sig == Signature::F_FI)
    Overloads.push_back(Args[1]->getType());
  return B.CreateIntrinsic(Intr, Overloads, Args, {}, opName(Id));
}

FunctionType *typeOfCall(ArrayRef<Value *> Args, Type *Float) {
  SmallVector<Type *, 3> Params;
  for (Value *A : Args)
    Params.push_back(A->getType());
  return FunctionType::get(Float, Params, false);
}

CallInst *emitPureCall(IRBuilderBase &B, FunctionCallee Callee, ArrayRef<Value *> Args) {
  CallInst *Call = B.CreateCall(Callee, Args);
  // Nobody reads errno after a derivative: the call may be merged, moved or dropped.
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::none());
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

Value *emitLibraryCall(IRBuilderBase &B, StringRef Name, ArrayRef<Value *> Args, Type *Float) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionType *Type = typeOfCall(Args, Float);
  const bool IsNew = !M.getFunction(Name);
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Callee.getCallee()); F && IsNew) {
    F->setDoesNotThrow();
    F->setWillReturn();
    F->setMemoryEffects(MemoryEffects::none());
  }
  return emitPureCall(B, Callee, Args);
}

/// By a function on vectors, of the library of the original call; null if there is none.
Value *emitVectorCall(IRBuilderBase &B, Op Id, ArrayRef<Value *> Args, Type *Float,
                      const OpView &Like) {
  if (Like.Family != MathFamily::VectorLibrary || Float != Like.Callee->getReturnType())
    return nullptr;
  const std::string Name = vectorName(Like.Callee->getName(), Id);
  if (Name.empty() || isTaken(*Like.Callee->getParent(), Name))
    return nullptr;
  CallInst *Call = cast<CallInst>(emitLibraryCall(B, Name, Args, Float));
  Call->setCallingConv(Like.Callee->getCallingConv());
  return Call;
}

/// Through a wider (or for digamma: another) type and back.
Value *emitThrough(IRBuilderBase &B, Op Id, ArrayRef<Value *> Args, Type *Float, Type *Other,
                   const OpView &Like) {
  SmallVector<Value *, 3> Cast;
  for (Value *A : Args)
    Cast.push_back(A->getType() == Float ? B.CreateFPCast(A, Other) : A);
  return B.CreateFPCast(emitMathCall(B, Id, Cast, Other, Like), Float);
}

Value *emitPerElement(IRBuilderBase &B, Op Id, ArrayRef<Value *> Args, FixedVectorType *Vector,
                      const OpView &Like) {
  Value *Result = PoisonValue::get(Vector);
  for (unsigned E = 0; E < Vector->getNumElements(); ++E) {
    SmallVector<Value *, 3> Elements;
    for (Value *A : Args)
      Elements.push_back(A->getType()->isVectorTy() ? B.CreateExtractElement(A, E) : A);
    Value *Element = emitMathCall(B, Id, Elements, Vector->getElementType(), Like);
    Result = B.CreateInsertElement(Result, Element, E);
  }
  return Result;
}

/// GPUs have instructions for few of them, and no library behind the others.
bool isDeviceIntrinsic(Op Id) {
  return is_contained(
      {Op::Sqrt, Op::FAbs, Op::CopySign, Op::RoundEven, Op::Fma, Op::FMin, Op::FMax}, Id);
}

bool prefersIntrinsic(const Module &M, Op Id, const OpView &Like) {
  if (opInfo(Id).Intrinsic == Intrinsic::not_intrinsic)
    return false;
  if (libraryOf(M) != MathFamily::Libm)
    return isDeviceIntrinsic(Id);
  return isCheapIntrinsic(Id) || Like.Family == MathFamily::Intrinsic ||
         Like.Family == MathFamily::Instruction || Like.Family == MathFamily::VectorLibrary;
}

/// Libraries have names of their own for some functions that are no function of C: gsl_sf_bessel_I1
/// belongs to gsl_sf_bessel_I0. Empty where the name in the table will do.
std::string librarySibling(const Module &M, Op Id, const Type *Float, const OpView &Like) {
  if (!Like.Callee || Like.Callee->getReturnType() != Float)
    return {};
  const std::string Name = nameBeside(Like.Callee->getName(), Like.Id, Id);
  if (Name.empty() || isTaken(M, Name))
    return {};
  const Function *F = M.getFunction(Name);
  const std::optional<MathName> Known = F ? mathFunctionOf(*F) : parseMathName(Name);
  return Known && Known->Id == Id && (F || !Known->NeedsMark) ? Name : std::string();
}

} // namespace

Value *emitMathCall(IRBuilderBase &B, Op Id, ArrayRef<Value *> Args, Type *Float,
                    const OpView &Like) {
  if (isComplexOp(Id))
    return B.CreateCall(&complexFunctionLike(*Like.Callee, Id), Args);
  if (Id == Like.Id && Like.Callee && Like.Callee->getFunctionType() == typeOfCall(Args, Float))
    return emitPureCall(B, Like.Callee, Args);
  if (Value *Vector = emitVectorCall(B, Id, Args, Float, Like))
    return Vector;
  Module &M = *B.GetInsertBlock()->getModule();
  if (prefersIntrinsic(M, Id, Like))
    return emitIntrinsic(B, Id, Args, Float);
  if (auto *Vector = dyn_cast<FixedVectorType>(Float))
    return emitPerElement(B, Id, Args, Vector, Like);
  if (Id == Op::Digamma || Id == Op::Trigamma) {
    if (!Float->isDoubleTy())
      return emitThrough(B, Id, Args, Float, B.getDoubleTy(), Like);
    return Id == Op::Digamma ? B.CreateCall(digammaFunction(M), Args, "digamma")
                             : B.CreateCall(trigammaFunction(M), Args, "trigamma");
  }
  if (std::string Beside = librarySibling(M, Id, Float, Like); !Beside.empty())
    return emitLibraryCall(B, Beside, Args, Float);
  const MathFamily Library = libraryOf(M);
  const std::string Name =
      mathName(Id, Library == MathFamily::Libm ? Like.Family : Library, Float, Like.Suffix);
  if (Name.empty())
    return emitThrough(B, Id, Args, Float, B.getFloatTy(), Like);
  if (isTaken(M, Name) && opInfo(Id).Intrinsic != Intrinsic::not_intrinsic)
    return emitIntrinsic(B, Id, Args, Float);
  return emitLibraryCall(B, Name, Args, Float);
}

} // namespace isozyme
