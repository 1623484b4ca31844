//===- DeclaredFloats.cpp - What the source declares as a float -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load double, ptr (getelementptr double, ptr %p, i64 %i)    becomes    load i64
//
// where all that is done with it is to store it. Alias metadata stays with the load, other metadata
// does not. The descriptors of flang's arrays are named as well. Each type is named as a part of
// the next one, so that the metadata says of no two accesses that they are different memory.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Values/DeclaredFloats.h"
#include "isozyme/Values/FortranDescriptors.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral Root = "isozyme floats";

/// A step to an element or member of type \p T; a union has no step of its own.
static bool isStepTo(const Value *Ptr, const Type *T) {
  auto *GEP = dyn_cast_or_null<GEPOperator>(Ptr);
  if (!GEP || GEP->getResultElementType() != T)
    return false;
  auto *Record = dyn_cast<StructType>(GEP->getSourceElementType());
  return !Record || (Record->hasName() && !Record->getName().starts_with("union."));
}

/// Does \p Call return a reference to such an element, as std::vector's operator[] does?
static bool returnsStepTo(const CallBase &Call, const Type *T) {
  const Function *F = Call.getCalledFunction();
  if (!F || F->isDeclaration() || F->isInterposable())
    return false;
  bool Any = false;
  for (const BasicBlock &BB : *F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      if (!isStepTo(Return->getReturnValue(), T))
        return false;
      Any = true;
    }
  return Any;
}

/// An element or member of that type, or a variable.
static bool isDeclaredFloat(const Instruction &I) {
  if (!isa<LoadInst, StoreInst>(I) || I.isVolatile())
    return false;
  Type *T = getLoadStoreType(&I);
  const Value *Ptr = getLoadStorePointerOperand(&I);
  if (!T->isDoubleTy() && !T->isFloatTy())
    return false;
  if (auto *Variable = dyn_cast<AllocaInst>(Ptr))
    return Variable->getAllocatedType() == T;
  if (auto *Call = dyn_cast_or_null<CallBase>(Ptr))
    return returnsStepTo(*Call, T);
  return isStepTo(Ptr, T);
}

void markDeclaredFloats(Function &F) {
  SmallVector<Instruction *> Floats, Descriptors;
  for (Instruction &I : instructions(F)) {
    if (I.hasMetadata(LLVMContext::MD_tbaa))
      return;
    if (isDeclaredFloat(I))
      Floats.push_back(&I);
    else if (accessesDescriptor(I))
      Descriptors.push_back(&I);
  }
  MDBuilder MD(F.getContext());
  MDNode *Descriptor = MD.createTBAAScalarTypeNode(DescriptorTag, MD.createTBAARoot(Root));
  MDNode *Double = MD.createTBAAScalarTypeNode("double", Descriptor);
  MDNode *Float = MD.createTBAAScalarTypeNode("float", Double);
  for (Instruction *I : Floats) {
    MDNode *Scalar = getLoadStoreType(I)->isDoubleTy() ? Double : Float;
    I->setMetadata(LLVMContext::MD_tbaa, MD.createTBAAStructTagNode(Scalar, Scalar, 0));
  }
  MDNode *OfDescriptors = MD.createTBAAStructTagNode(Descriptor, Descriptor, 0);
  for (Instruction *I : Descriptors)
    I->setMetadata(LLVMContext::MD_tbaa, OfDescriptors);
}

bool hasSourceTag(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *T = Tag && Tag->getNumOperands() >= 3 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1)) : Tag;
  while (T && T->getNumOperands() >= 2)
    T = dyn_cast_or_null<MDNode>(T->getOperand(1));
  auto *Name = T && T->getNumOperands() ? dyn_cast_or_null<MDString>(T->getOperand(0)) : nullptr;
  // Flang's tags tell variables and arguments apart, not what type they have.
  bool IsOther = Name && (Name->getString() == Root || Name->getString().starts_with("Flang"));
  return Tag && !IsOther;
}

} // namespace isozyme
