//===- FortranDescriptors.cpp - How flang passes arrays -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Values/FortranDescriptors.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

bool isDescriptorType(const Type *T) {
  auto *Struct = dyn_cast_or_null<StructType>(const_cast<Type *>(T));
  if (!Struct || Struct->getNumElements() < 7 || !Struct->getElementType(0)->isPointerTy() ||
      !Struct->getElementType(1)->isIntegerTy(64) || !Struct->getElementType(2)->isIntegerTy(32))
    return false;
  return all_of(Struct->elements().slice(3, 4), [](const Type *T) { return T->isIntegerTy(8); });
}

bool isTaggedDescriptor(const Instruction &Access) {
  const MDNode *Tag = Access.getMetadata(LLVMContext::MD_tbaa);
  auto *Accessed =
      Tag && Tag->getNumOperands() > 1 ? dyn_cast<MDNode>(Tag->getOperand(1)) : nullptr;
  auto *Name = Accessed && Accessed->getNumOperands() ? dyn_cast<MDString>(Accessed->getOperand(0))
                                                      : nullptr;
  return Name && Name->getString() == DescriptorTag;
}

bool isDescriptorInteger(const Instruction &Access) {
  return isTaggedDescriptor(Access) && isa<LoadInst, StoreInst>(Access) &&
         getLoadStoreType(&Access)->isIntegerTy();
}

/// Is the whole of the variable at \p Ptr, of \p Bytes, a descriptor?
static bool isWholeDescriptor(const Value *Ptr, uint64_t Bytes, const DataLayout &DL) {
  auto *Variable = dyn_cast<AllocaInst>(Ptr);
  return Variable && isDescriptorType(Variable->getAllocatedType()) &&
         DL.getTypeAllocSize(Variable->getAllocatedType()) == Bytes;
}

bool accessesDescriptor(const Instruction &I) {
  if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    const DataLayout &DL = I.getDataLayout();
    return Length && (isWholeDescriptor(Copy->getRawDest(), Length->getZExtValue(), DL) ||
                      isWholeDescriptor(Copy->getRawSource(), Length->getZExtValue(), DL));
  }
  if (!isa<LoadInst, StoreInst>(I))
    return false;
  auto *GEP = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&I));
  return isDescriptorType(getLoadStoreType(&I)) ||
         (GEP && isDescriptorType(GEP->getSourceElementType()));
}

} // namespace isozyme
