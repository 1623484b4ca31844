//===- DeclaredRecords.cpp - Of which record a place is a member ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Values/DeclaredRecords.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

/// Isozyme's own: a value of the type of the record, the offset of the member, and whether it is an
/// integer.
static constexpr StringLiteral MemberMetadata = "isozyme-member";

/// Bytes may be parts of anything.
static bool accessesInteger(const Instruction &I) {
  Type *T = getLoadStoreType(&I);
  auto *Step = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&I));
  return Step && T->isIntegerTy() && !T->isIntegerTy(8) && Step->getResultElementType() == T;
}

/// The outermost record that the address of \p I is a step into; a member of a union may be
/// anything.
static std::optional<DeclaredMember> memberByStep(const Instruction &I, const DataLayout &DL) {
  std::optional<DeclaredMember> Outermost;
  const Value *Ptr = getLoadStorePointerOperand(&I);
  APInt Offset(Ptr ? DL.getIndexTypeSizeInBits(Ptr->getType()) : 64, 0);
  while (auto *GEP = dyn_cast_or_null<GEPOperator>(Ptr)) {
    if (!GEP->accumulateConstantOffset(DL, Offset))
      break;
    auto *Record = dyn_cast<StructType>(GEP->getSourceElementType());
    auto *Index = dyn_cast<ConstantInt>(GEP->getOperand(1));
    bool IsMember = Record && Record->hasName() && Record->isSized() && Index && Index->isZero();
    if (IsMember && !Record->getName().starts_with("union."))
      Outermost = DeclaredMember{Record, Offset.getSExtValue(), accessesInteger(I)};
    Ptr = GEP->getPointerOperand();
  }
  return Outermost;
}

void isozyme::markDeclaredMember(Instruction &I, const DeclaredMember &Member) {
  LLVMContext &C = I.getContext();
  auto Part = [](Constant *Value) { return ConstantAsMetadata::get(Value); };
  Metadata *Parts[] = {Part(PoisonValue::get(Member.Record)),
                       Part(ConstantInt::getSigned(Type::getInt64Ty(C), Member.Offset)),
                       Part(ConstantInt::getBool(C, Member.IsInteger))};
  I.setMetadata(MemberMetadata, MDNode::get(C, Parts));
}

void isozyme::markDeclaredMembers(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F))
    if (std::optional<DeclaredMember> Member = memberByStep(I, DL);
        Member && !I.hasMetadata(LLVMContext::MD_tbaa))
      markDeclaredMember(I, *Member);
}

Type *DeclaredMember::scalar(const DataLayout &DL) const {
  Type *Part = Record;
  for (int64_t At = Offset; At >= 0;) {
    if (auto *Struct = dyn_cast<StructType>(Part)) {
      const StructLayout *Layout = DL.getStructLayout(Struct);
      bool IsUnion = Struct->hasName() && Struct->getName().starts_with("union.");
      if (IsUnion || uint64_t(At) >= Layout->getSizeInBytes().getFixedValue())
        return nullptr;
      unsigned K = Layout->getElementContainingOffset(At);
      At -= int64_t(Layout->getElementOffset(K).getFixedValue());
      Part = Struct->getElementType(K);
    } else if (auto *Array = dyn_cast<ArrayType>(Part)) {
      uint64_t Size = DL.getTypeAllocSize(Array->getElementType());
      if (!Size || uint64_t(At) / Size >= Array->getNumElements())
        return nullptr;
      At %= Size;
      Part = Array->getElementType();
    } else {
      return At ? nullptr : Part;
    }
  }
  return nullptr;
}

std::optional<DeclaredMember> isozyme::declaredMember(const Instruction &I) {
  const MDNode *Noted = I.getMetadata(MemberMetadata);
  if (!Noted)
    return std::nullopt;
  auto Part = [&](unsigned K) { return mdconst::extract<Constant>(Noted->getOperand(K)); };
  return DeclaredMember{cast<StructType>(Part(0)->getType()),
                        cast<ConstantInt>(Part(1))->getSExtValue(), Part(2)->isOneValue()};
}
