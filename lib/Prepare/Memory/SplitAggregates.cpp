//===- SplitAggregates.cpp - Loads and stores of leaves only ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  %s = load {double, i32}, ptr %p
// after:   %a = load double, ptr %p
//          %1 = insertvalue {double, i32} poison, double %a, 0
//          %q = getelementptr inbounds i8, ptr %p, i64 8
//          %b = load i32, ptr %q
//          %s = insertvalue {double, i32} %1, i32 %b, 1
//
// Padding is not copied, which a load or store of an aggregate does not promise.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

namespace {
struct Leaf {
  Type *Ty;
  uint64_t Offset;
  SmallVector<unsigned, 4> Path;
};
} // namespace

static void collectLeaves(Type *Ty, uint64_t Offset, SmallVectorImpl<unsigned> &Path,
                          const DataLayout &DL, SmallVectorImpl<Leaf> &Leaves) {
  auto Descend = [&](Type *Inner, uint64_t At, unsigned Index) {
    Path.push_back(Index);
    collectLeaves(Inner, At, Path, DL, Leaves);
    Path.pop_back();
  };
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (unsigned I = 0; I != Struct->getNumElements(); ++I)
      Descend(Struct->getElementType(I), Offset + Layout->getElementOffset(I), I);
  } else if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    uint64_t Size = DL.getTypeAllocSize(Array->getElementType());
    for (unsigned I = 0; I != Array->getNumElements(); ++I)
      Descend(Array->getElementType(), Offset + I * Size, I);
  } else {
    Leaves.push_back({Ty, Offset, SmallVector<unsigned, 4>(Path.begin(), Path.end())});
  }
}

static Value *leafPointer(IRBuilder<> &B, Value *Base, uint64_t Offset) {
  if (!Offset)
    return Base;
  // The whole access is inside one object, hence so is each part.
  return B.CreateInBoundsPtrAdd(
      Base,
      ConstantInt::get(B.GetInsertBlock()->getDataLayout().getIndexType(Base->getType()), Offset),
      "leaf.addr");
}

template <typename AccessT> static void copyAccess(AccessT *Leaf, const AccessT *Whole) {
  Leaf->setVolatile(Whole->isVolatile());
  // Type tags describe the whole; alias scopes hold for every part of it.
  for (unsigned Kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                        LLVMContext::MD_nontemporal, LLVMContext::MD_invariant_load})
    Leaf->setMetadata(Kind, Whole->getMetadata(Kind));
}

static void splitLoad(LoadInst *Load, ArrayRef<Leaf> Leaves) {
  IRBuilder<> B(Load);
  Value *Whole = PoisonValue::get(Load->getType());
  for (const Leaf &Part : Leaves) {
    Value *Pointer = leafPointer(B, Load->getPointerOperand(), Part.Offset);
    LoadInst *Value =
        B.CreateAlignedLoad(Part.Ty, Pointer, commonAlignment(Load->getAlign(), Part.Offset),
                            Load->getName() + ".leaf");
    copyAccess(Value, Load);
    Whole = B.CreateInsertValue(Whole, Value, Part.Path);
  }
  Load->replaceAllUsesWith(Whole);
  if (auto *I = dyn_cast<Instruction>(Whole))
    I->takeName(Load);
  Load->eraseFromParent();
}

static void splitStore(StoreInst *Store, ArrayRef<Leaf> Leaves) {
  IRBuilder<> B(Store);
  Value *Whole = Store->getValueOperand();
  for (const Leaf &Part : Leaves) {
    Value *Value = B.CreateExtractValue(Whole, Part.Path, Whole->getName() + ".leaf");
    StoreInst *Piece =
        B.CreateAlignedStore(Value, leafPointer(B, Store->getPointerOperand(), Part.Offset),
                             commonAlignment(Store->getAlign(), Part.Offset));
    copyAccess(Piece, Store);
  }
  Store->eraseFromParent();
}

void splitAggregateAccesses(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Load && !Store)
      continue;
    Type *Ty = getLoadStoreType(&I);
    if (!Ty->isAggregateType() || DL.getTypeStoreSize(Ty).isScalable())
      continue;
    SmallVector<Leaf> Leaves;
    SmallVector<unsigned, 4> Path;
    collectLeaves(Ty, 0, Path, DL, Leaves);
    if (Load)
      splitLoad(Load, Leaves);
    else
      splitStore(Store, Leaves);
  }
}

} // namespace isozyme
