//===- RetypeAddresses.cpp - Addresses moved as integers ------------------===//
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
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

namespace {

class AddressRetyper {
public:
  explicit AddressRetyper(ArrayRef<Instruction *> Integers)
      : Integers(Integers.begin(), Integers.end()) {}
  void run();

private:
  void makeTwin(Instruction &I);
  void fillTwin(Instruction &I);
  Value *addressOf(Value *V, Instruction *Before);

  SmallVector<Instruction *> Integers;
  DenseMap<Value *, Instruction *> Twins;
};

} // namespace

/// The twin in the place of \p I; operands of phis, selects and freezes come later.
void AddressRetyper::makeTwin(Instruction &I) {
  IRBuilder<> B(&I);
  Type *Address = B.getPtrTy();
  std::string Name = (I.getName() + ".address").str();
  Instruction *Twin = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Twin = B.CreateAlignedLoad(Address, Load->getPointerOperand(), Load->getAlign(), Name);
    Twin->copyMetadata(I, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                           LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  } else if (auto *Phi = dyn_cast<PHINode>(&I)) {
    Twin = B.CreatePHI(Address, Phi->getNumIncomingValues(), Name);
  } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *Null = ConstantPointerNull::get(B.getPtrTy());
    Twin = SelectInst::Create(Select->getCondition(), Null, Null, Name, I.getIterator());
  } else {
    Twin = new FreezeInst(ConstantPointerNull::get(B.getPtrTy()), Name, I.getIterator());
  }
  Twin->setDebugLoc(I.getDebugLoc());
  Twins[&I] = Twin;
}

Value *AddressRetyper::addressOf(Value *V, Instruction *Before) {
  if (Instruction *Twin = Twins.lookup(V))
    return Twin;
  if (auto *Cast = dyn_cast<PtrToIntInst>(V))
    return Cast->getPointerOperand();
  return IRBuilder<>(Before).CreateIntToPtr(V, PointerType::getUnqual(V->getContext())); // Null.
}

void AddressRetyper::fillTwin(Instruction &I) {
  Instruction *Twin = Twins.lookup(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (auto [V, BB] : zip_equal(Phi->incoming_values(), Phi->blocks()))
      cast<PHINode>(Twin)->addIncoming(addressOf(V, BB->getTerminator()), BB);
  } else if (isa<SelectInst>(I)) {
    for (unsigned K : {1, 2})
      Twin->setOperand(K, addressOf(I.getOperand(K), Twin));
  } else if (isa<FreezeInst>(I)) {
    Twin->setOperand(0, addressOf(I.getOperand(0), Twin));
  }
}

void AddressRetyper::run() {
  for (Instruction *I : Integers)
    if (!isa<StoreInst>(I))
      makeTwin(*I);
  for (Instruction *I : Integers)
    if (!isa<StoreInst>(I))
      fillTwin(*I);
  for (Instruction *I : Integers)
    if (auto *Store = dyn_cast<StoreInst>(I))
      Store->setOperand(0, addressOf(Store->getValueOperand(), Store));
  // What still uses the integer, a comparison with zero for example.
  for (Instruction *I : Integers) {
    if (isa<StoreInst>(I) || I->use_empty())
      continue;
    Instruction *Twin = Twins.lookup(I);
    IRBuilder<> B(I->getParent(),
                  isa<PHINode>(I) ? I->getParent()->getFirstInsertionPt() : I->getIterator());
    I->replaceAllUsesWith(B.CreatePtrToInt(Twin, I->getType()));
  }
  for (Instruction *I : Integers)
    if (!isa<StoreInst>(I))
      I->eraseFromParent();
}

void retypeAddresses(ArrayRef<Instruction *> Integers) { AddressRetyper(Integers).run(); }

} // namespace isozyme
