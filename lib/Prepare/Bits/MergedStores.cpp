//===- MergedStores.cpp - One store of a number or an address -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch that fills a union stores a number on one way and an address on the other. The
// optimiser stores what is chosen, as an integer, which can have neither an adjoint nor a shadow.
// Here, each way stores its own again:
//
//   one:   %a = ptrtoint ptr %p to i64           one:   store ptr %p, ptr %u
//   two:   %b = load i64, ptr %x                 two:   %b = load i64, ptr %x
//   join:  %w = phi i64 [ %a, %one ],     =>            store i64 %b, ptr %u
//                       [ %b, %two ]             join:
//          store i64 %w, ptr %u
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// Is an address chosen by \p Phi, or else what has been read, or the bits of a float?
static bool choosesAddressOrOther(const PHINode &Phi) {
  auto IsAddress = [](const Value *V) { return isa<PtrToIntInst>(V); };
  auto IsOther = [](const Value *V) { return isa<LoadInst, BitCastInst>(V); };
  return any_of(Phi.incoming_values(), IsAddress) && any_of(Phi.incoming_values(), IsOther);
}

/// The steps in the block of \p Store by which its address is computed, the last one first; nothing
/// if they cannot be done before the block.
static std::optional<SmallVector<GetElementPtrInst *, 2>> stepsToAddress(const StoreInst &Store) {
  SmallVector<GetElementPtrInst *, 2> Steps;
  auto IsHere = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && I->getParent() == Store.getParent();
  };
  Value *Ptr = const_cast<Value *>(Store.getPointerOperand());
  while (IsHere(Ptr)) {
    auto *Step = dyn_cast<GetElementPtrInst>(Ptr);
    if (!Step || any_of(Step->indices(), [&](const Use &U) { return IsHere(U); }))
      return std::nullopt;
    Steps.push_back(Step);
    Ptr = Step->getPointerOperand();
  }
  return Steps;
}

/// Can what \p Store does be done on each way to its block?
static bool mayComeBefore(const StoreInst &Store, const PHINode &Phi) {
  const BasicBlock *Join = Store.getParent();
  if (Phi.getParent() != Join || !Phi.hasOneUse() || !Store.isSimple())
    return false;
  for (const Instruction *I = Store.getPrevNode(); I; I = I->getPrevNode())
    if (I->mayReadOrWriteMemory() || !isGuaranteedToTransferExecutionToSuccessor(I))
      return false;
  return all_of(Phi.blocks(), [&](const BasicBlock *From) {
    return From != Join && From->getSingleSuccessor() == Join;
  });
}

static void storeBefore(StoreInst &Store, PHINode &Phi, ArrayRef<GetElementPtrInst *> Steps) {
  for (auto [V, From] : zip_equal(Phi.incoming_values(), Phi.blocks())) {
    Instruction *End = From->getTerminator();
    Value *Ptr = Steps.empty() ? Store.getPointerOperand() : Steps.back()->getPointerOperand();
    for (GetElementPtrInst *Step : reverse(Steps)) {
      auto *Copy = Step->clone();
      Copy->setOperand(0, Ptr);
      Copy->insertBefore(End->getIterator());
      Ptr = Copy;
    }
    auto *Cast = dyn_cast<PtrToIntInst>(V);
    IRBuilder<> B(End);
    StoreInst *Own =
        B.CreateAlignedStore(Cast ? Cast->getPointerOperand() : V.get(), Ptr, Store.getAlign());
    Own->copyMetadata(Store,
                      {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    Own->setDebugLoc(Store.getDebugLoc());
  }
  Value *Merged = Store.getPointerOperand();
  SmallVector<WeakTrackingVH, 4> Left(Phi.incoming_values());
  Store.eraseFromParent();
  Phi.eraseFromParent();
  Left.push_back(Merged);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Left);
}

void splitMergedStores(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<StoreInst *, 4> Merged;
  for (Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *Phi = Store ? dyn_cast<PHINode>(Store->getValueOperand()) : nullptr;
    if (Phi && Phi->getType()->isIntegerTy(DL.getPointerSizeInBits()) &&
        choosesAddressOrOther(*Phi))
      Merged.push_back(Store);
  }
  for (StoreInst *Store : Merged) { // The first has gone when the next is looked at.
    auto &Phi = *cast<PHINode>(Store->getValueOperand());
    auto Steps = stepsToAddress(*Store);
    if (Steps && mayComeBefore(*Store, Phi))
      storeBefore(*Store, Phi, *Steps);
  }
}

} // namespace isozyme
