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

static Function *declare(Module &M, StringRef Name, ArrayRef<Type *> Params) {
  if (Function *F = M.getFunction(Name))
    return F;
  auto *T = FunctionType::get(Type::getVoidTy(M.getContext()), Params, false);
  auto *F = Function::Create(T, GlobalValue::ExternalLinkage, Name, M);
  F->setDoesNotThrow();
  return F;
}

Function *touchFunction(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C), *I32 = Type::getInt32Ty(C);
  Function *Touch = declare(M, CheckTouch, {Ptr, I64, I32});
  if (Touch->hasMetadata(marking::Derivative))
    return Touch;
  // It counts as writing, or a derivative would take it for a function that moves nothing.
  Touch->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  Touch->addParamAttr(0, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  Function *Forward = declare(M, CheckTouchForward, {Ptr, Ptr, I64, I32});
  Touch->setMetadata(marking::Derivative, MDNode::get(C, {ValueAsMetadata::get(Forward)}));
  return Touch;
}

Function *noteFunction(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 2> Params{PointerType::getUnqual(C)};
  if (Name == CheckStop)
    Params = {Type::getInt32Ty(C)};
  else if (Name == CheckAllocated)
    Params.push_back(Type::getInt64Ty(C));
  Function *F = declare(M, Name, Params);
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(marking::Inactive);
  if (Params[0]->isPointerTy())
    F->addParamAttr(0, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  return F;
}

} // namespace isozyme
