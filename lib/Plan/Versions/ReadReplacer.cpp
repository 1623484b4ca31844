//===- ReadReplacer.cpp - Parameters in place of loads ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/ReadReplacer.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// The structure that \p I accesses a member of, as its declared type says: where it begins.
std::optional<ReadReplacer::Object> ReadReplacer::objectOf(const Instruction &I, Word W) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 3)
    return std::nullopt;
  auto *Type = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  auto *Offset = mdconst::dyn_extract_or_null<ConstantInt>(Tag->getOperand(2));
  if (!Type || !Offset || Type == Tag->getOperand(1))
    return std::nullopt;
  return Object(W.Base, W.Offset - Offset->getSExtValue(), Type);
}

/// From the beginning on, while nothing may leave the function or branch.
void ReadReplacer::findObjects() {
  const DataLayout &DL = Copy.getDataLayout();
  SureBlocks.clear();
  for (const BasicBlock *BB = &Copy.getEntryBlock(); BB && SureBlocks.insert(BB).second;
       BB = BB->getSingleSuccessor())
    for (const Instruction &I : *BB) {
      if (const Value *Ptr = getLoadStorePointerOperand(&I))
        if (auto Object = objectOf(I, wordAt(Ptr, DL)))
          Objects.insert(*Object);
      if (!isGuaranteedToTransferExecutionToSuccessor(&I)) {
        FirstUnsure = &I;
        return;
      }
    }
}

bool ReadReplacer::isSureToRun(const Instruction &I) const {
  if (!SureBlocks.contains(I.getParent()))
    return false;
  return !FirstUnsure || FirstUnsure->getParent() != I.getParent() || I.comesBefore(FirstUnsure) ||
         &I == FirstUnsure;
}

bool ReadReplacer::isInSureObject(const LoadInst &Load, Word W) const {
  auto Object = objectOf(Load, W);
  return Object && Objects.contains(*Object);
}

std::optional<unsigned> ReadReplacer::numberOf(const LoadInst &Load) const {
  Word W = wordAt(Load.getPointerOperand(), Copy.getDataLayout());
  auto *Base = dyn_cast<Argument>(W.Base);
  if (!Load.isSimple() || !Base)
    return std::nullopt;
  auto *Known = find_if(Reads, [&](const EntryRead &Each) {
    return Each.Base == Base->getArgNo() && Each.Offset == W.Offset && Each.Type == Load.getType();
  });
  if (Known == Reads.end())
    return std::nullopt;
  return Known - Reads.begin();
}

void ReadReplacer::run() {
  const DataLayout &DL = Copy.getDataLayout();
  SmallVector<LoadInst *, 16> Replaced;
  findObjects();
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&Copy))
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      std::optional<unsigned> N = Load ? numberOf(*Load) : std::nullopt;
      if (!N)
        continue;
      const Value *Ptr = Load->getPointerOperand();
      Word W = wordAt(Ptr, DL);
      Safe[*N] |= isSureToRun(*Load) || isInSureObject(*Load, W) ||
                  isDereferenceablePointer(Ptr, Load->getType(), DL,
                                           &*Copy.getEntryBlock().getFirstNonPHIOrDbg());
      Load->replaceAllUsesWith(Copy.getArg(Own + *N));
      Replaced.push_back(Load);
      // Members of what an address leads to are found when it is a parameter.
      if (!std::exchange(Read[*N], true))
        findObjects();
    }
  for (LoadInst *Load : Replaced)
    Load->eraseFromParent();
}

} // namespace isozyme
