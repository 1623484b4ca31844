//===- RetypeMoves.cpp - Addresses moved as integers, floats as pointers --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copying a record of one pointer is a load and a store of an i64 to the optimiser.
// Type analysis has found such integers to be addresses; here they get their type, so
// that they have shadows like other addresses.
//
//   %a = load i64, ptr %p            %a.address = load ptr, ptr %p
//   store i64 %a, ptr %q      ->     store ptr %a.address, ptr %q
//
// The other way round, a union of an address and a number is moved as a pointer. What type
// analysis has found to be, or maybe to be, a float becomes an integer: that has an adjoint if
// it is one. An integer whose bits are computed with, and which is a float in memory, is
// loaded as that float.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

namespace {

class MoveRetyper {
public:
  explicit MoveRetyper(ArrayRef<Instruction *> Moves) : Moves(Moves.begin(), Moves.end()) {}
  void run();

private:
  void makeTwin(Instruction &I);
  void fillTwin(Instruction &I);
  void replaceOtherUses(Instruction &I, const SmallPtrSetImpl<const User *> &Moved);
  Value *twinOf(Value *V, Instruction *Before);

  SmallVector<Instruction *> Moves;
  DenseMap<Value *, Instruction *> Twins;
};

} // namespace

/// An integer for a pointer, a pointer for an integer.
static Type *otherType(const Instruction &I) {
  Type *T = I.getType();
  return T->isPointerTy() ? I.getDataLayout().getIntPtrType(T)
                          : static_cast<Type *>(PointerType::getUnqual(T->getContext()));
}

/// \p V by the other type.
static Value *castTo(IRBuilder<> &B, Value *V, Type *T) {
  return T->isPointerTy() ? B.CreateIntToPtr(V, T) : B.CreatePtrToInt(V, T);
}

/// The twin in the place of \p I; operands of phis, selects and freezes come later.
void MoveRetyper::makeTwin(Instruction &I) {
  IRBuilder<> B(&I);
  Type *Other = otherType(I);
  std::string Name = (I.getName() + (Other->isPointerTy() ? ".address" : ".bits")).str();
  Instruction *Twin = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Twin = B.CreateAlignedLoad(Other, Load->getPointerOperand(), Load->getAlign(), Name);
    Twin->copyMetadata(I, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                           LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  } else if (auto *Phi = dyn_cast<PHINode>(&I)) {
    Twin = B.CreatePHI(Other, Phi->getNumIncomingValues(), Name);
  } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *Null = Constant::getNullValue(Other);
    Twin = SelectInst::Create(Select->getCondition(), Null, Null, Name, I.getIterator());
  } else {
    assert(isa<FreezeInst>(I) && "this is no move");
    Twin = new FreezeInst(Constant::getNullValue(Other), Name, I.getIterator());
  }
  Twin->setDebugLoc(I.getDebugLoc());
  Twins[&I] = Twin;
}

Value *MoveRetyper::twinOf(Value *V, Instruction *Before) {
  if (Instruction *Twin = Twins.lookup(V))
    return Twin;
  IRBuilder<> B(Before);
  Type *Pointer = B.getPtrTy(), *Word = Before->getDataLayout().getIntPtrType(Pointer);
  Type *Other = V->getType()->isPointerTy() ? Word : Pointer;
  if (isa<PtrToIntInst, IntToPtrInst>(V) && cast<CastInst>(V)->getOperand(0)->getType() == Other)
    return cast<CastInst>(V)->getOperand(0);
  return castTo(B, V, Other); // What has no twin is a constant, or comes from elsewhere.
}

void MoveRetyper::fillTwin(Instruction &I) {
  Instruction *Twin = Twins.lookup(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (auto [V, BB] : zip_equal(Phi->incoming_values(), Phi->blocks()))
      cast<PHINode>(Twin)->addIncoming(twinOf(V, BB->getTerminator()), BB);
  } else if (isa<SelectInst>(I)) {
    for (unsigned K : {1, 2})
      Twin->setOperand(K, twinOf(I.getOperand(K), Twin));
  } else if (isa<FreezeInst>(I)) {
    Twin->setOperand(0, twinOf(I.getOperand(0), Twin));
  }
}

/// A comparison with zero, for example, goes on with what it had.
void MoveRetyper::replaceOtherUses(Instruction &I, const SmallPtrSetImpl<const User *> &Moved) {
  auto IsOther = [&](const Use &U) { return !Moved.contains(U.getUser()); };
  if (none_of(I.uses(), IsOther))
    return;
  IRBuilder<> B(I.getParent(),
                isa<PHINode>(I) ? I.getParent()->getFirstInsertionPt() : I.getIterator());
  Value *Cast = castTo(B, Twins.lookup(&I), I.getType());
  I.replaceUsesWithIf(Cast, [&](const Use &U) { return IsOther(U) && U.getUser() != Cast; });
}

void MoveRetyper::run() {
  for (Instruction *I : Moves)
    if (!isa<StoreInst>(I))
      makeTwin(*I);
  for (Instruction *I : Moves)
    if (!isa<StoreInst>(I))
      fillTwin(*I);
  for (Instruction *I : Moves)
    if (auto *Store = dyn_cast<StoreInst>(I))
      Store->setOperand(0, twinOf(Store->getValueOperand(), Store));
  SmallPtrSet<const User *, 16> Moved(Moves.begin(), Moves.end());
  for (Instruction *I : Moves)
    if (!isa<StoreInst>(I))
      replaceOtherUses(*I, Moved);
  for (Instruction *I : Moves)
    if (!isa<StoreInst>(I)) {
      I->replaceAllUsesWith(PoisonValue::get(I->getType())); // By other moves.
      I->eraseFromParent();
    }
}

void retypeMoves(ArrayRef<Instruction *> Moves) { MoveRetyper(Moves).run(); }

void loadAsFloat(LoadInst &Load, Type *Float) {
  IRBuilder<> B(&Load);
  LoadInst *New = B.CreateAlignedLoad(Float, Load.getPointerOperand(), Load.getAlign(),
                                      Load.getName() + ".float");
  New->copyMetadata(Load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                           LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  Type *Word = B.getIntNTy(Float->getPrimitiveSizeInBits());
  Value *Bits = B.CreateBitOrPointerCast(B.CreateBitCast(New, Word), Load.getType());
  Bits->takeName(&Load);
  Load.replaceAllUsesWith(Bits);
  Load.eraseFromParent();
}

} // namespace isozyme
