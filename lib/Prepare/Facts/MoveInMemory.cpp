//===- MoveInMemory.cpp - Copies of what may be a float or an address -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word that is an address in one record and a number in the next is moved as an integer,
// which can have neither a shadow nor an adjoint. In memory it has both, and its shadow tells
// which of them it is.
//
//   %w = load i64, ptr %p
//   store i64 %w, ptr %q      ->     memmove(%q, %p, 8)
//
// Where memory is written in between, the word waits in a local. What is also used as a number
// is still loaded for that.
//
//===----------------------------------------------------------------------===//
#include "../Memory/HiddenFloats.h"
#include "Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// May anything but \p Load's own stores write memory between it and \p Store?
static bool isWrittenBetween(const LoadInst &Load, const StoreInst &Store) {
  if (Load.getParent() != Store.getParent())
    return true;
  for (const Instruction *I = Load.getNextNode(); I != &Store; I = I->getNextNode())
    if (I->mayWriteToMemory())
      return true;
  return false;
}

/// Is nothing but an upper or a lower half of the integer used?
static bool isUsedInHalves(const LoadInst &Word) {
  if (!Word.getType()->isIntegerTy(64) || !Word.getDataLayout().isLittleEndian())
    return false;
  auto IsCut = [](const User *U) { return isa<TruncInst>(U) && U->getType()->isIntegerTy(32); };
  return all_of(Word.users(), [&](const User *U) {
    return IsCut(U) ||
           (match(U, m_LShr(m_Specific(&Word), m_SpecificInt(32))) && all_of(U->users(), IsCut));
  });
}

void moveInMemory(Instruction &Move, bool OfMembers) {
  const DataLayout &DL = Move.getDataLayout();
  if (auto *Zeros = dyn_cast<StoreInst>(&Move)) {
    IRBuilder<> B(Zeros);
    uint64_t Size = DL.getTypeStoreSize(Zeros->getValueOperand()->getType());
    B.CreateMemSet(Zeros->getPointerOperand(), B.getInt8(0), Size, Zeros->getAlign());
    Zeros->eraseFromParent();
    return;
  }
  auto &Load = cast<LoadInst>(Move);
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  Value *From = Load.getPointerOperand();
  SmallVector<StoreInst *, 2> Stores;
  for (const Use &U : Load.uses()) // An address may be stored to where it leads.
    if (auto *Store = dyn_cast<StoreInst>(U.getUser());
        Store && Store->isSimple() && U.getOperandNo() == 0)
      Stores.push_back(Store);
  bool Waits =
      any_of(Stores, [&](const StoreInst *Store) { return isWrittenBetween(Load, *Store); });
  if (Waits) {
    BasicBlock &Entry = Load.getFunction()->getEntryBlock();
    IRBuilder<> AtStart(&Entry, Entry.begin());
    AllocaInst *Local = AtStart.CreateAlloca(ArrayType::get(AtStart.getInt8Ty(), Size), nullptr,
                                             Load.getName() + ".moved");
    Local->setAlignment(Load.getAlign());
    IRBuilder<>(&Load).CreateMemCpy(Local, Load.getAlign(), From, Load.getAlign(), Size);
    From = Local;
  }
  for (StoreInst *Store : Stores) {
    IRBuilder<> B(Store);
    Value *To = Store->getPointerOperand();
    if (Waits)
      B.CreateMemCpy(To, Store->getAlign(), From, Load.getAlign(), Size);
    else
      B.CreateMemMove(To, Store->getAlign(), From, Load.getAlign(), Size);
    Store->eraseFromParent();
  }
  if (Load.use_empty())
    Load.eraseFromParent();
  else if (OfMembers && isUsedInHalves(Load))
    splitIntoHalves(Load);
}

} // namespace isozyme
