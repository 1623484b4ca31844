//===- NamedMembers.cpp - Bytes of records that the source names ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/NamedMembers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// Isozyme's own. The flag says that all code was looked at. A linker makes it 0 where one module
/// has none.
static constexpr StringLiteral NamedMetadata = "isozyme.named-bytes";
static constexpr StringLiteral NamedFlag = "isozyme-named-bytes";

static bool isBytes(const Type *T) {
  return T->isArrayTy() && T->getArrayElementType()->isIntegerTy(8);
}

/// Code that nothing has simplified keeps parameters in variables, if it does more with them than
/// to pass them on.
static bool isSimplified(const Function &F) {
  auto isKept = [](const Argument &A) {
    return any_of(A.users(), [&A](const User *U) {
      auto *Store = dyn_cast<StoreInst>(U);
      return Store && Store->getValueOperand() == &A &&
             isa<AllocaInst>(Store->getPointerOperand()->stripInBoundsOffsets());
    });
  };
  bool Any = any_of(F.args(),
                    [](const Argument &A) { return !A.hasByValAttr() && !A.hasStructRetAttr(); });
  bool Names = any_of(instructions(F), [](const Instruction &I) { return isa<GEPOperator>(I); });
  return Any && Names && none_of(F.args(), isKept);
}

using Members = SetVector<std::pair<StructType *, unsigned>>;

/// The members that are bytes, of records on the way that \p GEP goes.
static void namedBy(const GEPOperator &GEP, Members &Named) {
  Type *T = GEP.getSourceElementType();
  for (const Use &Index : drop_begin(GEP.indices())) {
    auto *Record = dyn_cast<StructType>(T);
    if (!Record) {
      T = T->getContainedType(0);
      continue;
    }
    unsigned Member = cast<Constant>(Index)->getUniqueInteger().getZExtValue();
    T = Record->getElementType(Member);
    if (isBytes(T))
      Named.insert({Record, Member});
  }
}

/// Counts all bytes in a variable as named: clang accesses them by constant offsets.
static void allIn(Type *T, Members &Named) {
  if (auto *Record = dyn_cast<StructType>(T)) {
    for (unsigned K = 0; K != Record->getNumElements(); ++K) {
      if (isBytes(Record->getElementType(K)))
        Named.insert({Record, K});
      allIn(Record->getElementType(K), Named);
    }
  } else if (T->isArrayTy()) {
    allIn(T->getArrayElementType(), Named);
  }
}

void noteNamedBytes(Module &M) {
  if (M.getModuleFlag(NamedFlag))
    return;
  Members Named;
  for (const GlobalVariable &GV : M.globals())
    allIn(GV.getValueType(), Named);
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (isSimplified(F))
      return;
    for (const Instruction &I : instructions(F))
      if (auto *GEP = dyn_cast<GEPOperator>(&I))
        namedBy(*GEP, Named);
  }
  M.addModuleFlag(Module::Min, NamedFlag, 1);
  if (Named.empty())
    return;
  NamedMDNode *Notes = M.getOrInsertNamedMetadata(NamedMetadata);
  for (auto [Record, Member] : Named) {
    auto *Number = ConstantInt::get(Type::getInt32Ty(M.getContext()), Member);
    Notes->addOperand(
        MDNode::get(M.getContext(), {ConstantAsMetadata::get(PoisonValue::get(Record)),
                                     ConstantAsMetadata::get(Number)}));
  }
}

NamedBytes::NamedBytes(const Module &M) {
  auto *Flag = mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(NamedFlag));
  Known = Flag && Flag->isOne();
  const NamedMDNode *Notes = M.getNamedMetadata(NamedMetadata);
  if (!Known || !Notes)
    return;
  for (const MDNode *Note : Notes->operands())
    Named.push_back({cast<StructType>(mdconst::extract<Constant>(Note->getOperand(0))->getType()),
                     unsigned(mdconst::extract<ConstantInt>(Note->getOperand(1))->getZExtValue())});
}

/// Linked modules may have several types for one record.
static bool areAlike(const StructType &A, const StructType &B, unsigned Member) {
  if (A.isPacked() != B.isPacked() || A.getNumElements() != B.getNumElements() ||
      A.getElementType(Member) != B.getElementType(Member))
    return false;
  return all_of(zip(A.elements(), B.elements()), [](auto Pair) {
    return std::get<0>(Pair)->getTypeID() == std::get<1>(Pair)->getTypeID();
  });
}

/// Are the bytes as many as are missing to the alignment of the next member, or, behind the last
/// one, of all? Clang shows them where the tail of one record may hold members of another.
static bool fillsGap(const StructType &Record, unsigned Member, const DataLayout &DL) {
  if (!Record.isPacked())
    return false;
  const StructLayout &Layout = *DL.getStructLayout(const_cast<StructType *>(&Record));
  uint64_t Begin = Layout.getElementOffset(Member);
  bool IsLast = Member + 1 == Record.getNumElements();
  Align Next(1);
  for (auto [K, T] : enumerate(Record.elements()))
    if (IsLast || K == Member + 1)
      Next = std::max(Next, DL.getABITypeAlign(T));
  return alignTo(Begin, Next) == Begin + Record.getElementType(Member)->getArrayNumElements();
}

bool NamedBytes::isFilling(const StructType &Record, unsigned Member, const DataLayout &DL) const {
  if (!Known || !isBytes(Record.getElementType(Member)) || !fillsGap(Record, Member, DL))
    return false;
  return none_of(Named, [&](auto Other) {
    return Other.second == Member && areAlike(*Other.first, Record, Member);
  });
}

} // namespace isozyme
