//===- RuntimeNames.cpp - Functions of the run-time part of checks --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares them in a module, with what derivatives have to know of them. Their bodies
// are linked in when all derivatives have been made.
//
//===----------------------------------------------------------------------===//
#include "RuntimeNames.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

unsigned accessKindOf(const Type *T) {
  if (T->isFloatTy())
    return KindFloat;
  if (T->isDoubleTy())
    return KindDouble;
  if (T->isX86_FP80Ty())
    return KindLongDouble;
  return T->isPointerTy() ? KindPointer : KindBytes;
}

static Function *declare(Module &M, StringRef Name, Type *Result, ArrayRef<Type *> Params) {
  if (Function *F = M.getFunction(Name))
    return F;
  auto *T = FunctionType::get(Result, Params, false);
  auto *F = Function::Create(T, GlobalValue::ExternalLinkage, Name, M);
  F->setDoesNotThrow();
  return F;
}

Function *touchFunction(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C), *I32 = Type::getInt32Ty(C),
       *Void = Type::getVoidTy(C);
  Function *Touch = declare(M, CheckTouch, Void, {Ptr, I64, I32});
  if (Touch->hasMetadata(marking::Derivative))
    return Touch;
  // It counts as writing, or a derivative would take it for a function that moves nothing.
  Touch->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  Touch->addParamAttr(0, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  Function *Forward = declare(M, CheckTouchForward, Void, {Ptr, Ptr, I64, I32});
  Touch->setMetadata(marking::Derivative, MDNode::get(C, {ValueAsMetadata::get(Forward)}));
  return Touch;
}

/// The token is no number, and what is done with it of no interest either.
static Function *makeInactive(Function *F) {
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(marking::Inactive);
  for (Argument &A : F->args())
    if (A.getType()->isPointerTy())
      A.addAttr(Attribute::getWithCaptureInfo(F->getContext(), CaptureInfo::none()));
  return F;
}

Function *noteFunction(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 3> Params{Ptr};
  if (Name == CheckStop)
    Params = {Type::getInt32Ty(C)};
  else if (Name == CheckAllocated || Name == CheckForget)
    Params = {Ptr, I64};
  else if (Name == CheckCopied)
    Params = {Ptr, Ptr, I64};
  else if (Name == CheckMoved)
    Params = {Ptr, I64, I64};
  return makeInactive(declare(M, Name, Type::getVoidTy(C), Params));
}

bool isAllocationNote(const Function &F) {
  return F.getParent()->getFunction(CheckAllocated) == &F;
}

Function *originFunction(Module &M) {
  LLVMContext &C = M.getContext();
  return makeInactive(declare(M, CheckOrigin, Type::getInt64Ty(C), {PointerType::getUnqual(C)}));
}

} // namespace isozyme
