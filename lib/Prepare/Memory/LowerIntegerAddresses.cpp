//===- LowerIntegerAddresses.cpp - Pointers that were integers for a while ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tagged and aligned pointers go through integers. What the integer was made of
// stays visible when the pointer is written as a distance from where it started:
//
//   %i = ptrtoint ptr %p to i64            %i = ptrtoint ptr %p to i64
//   %a = and i64 %i, -8                    %a = and i64 %i, -8
//   %q = inttoptr i64 %a to ptr      =>    %d = sub i64 %a, %i
//                                          %q = getelementptr i8, ptr %p, i64 %d
//
// The shadow of %q is then as far from the shadow of %p, whatever that one's
// alignment is. Integers that are kept in memory meanwhile are loaded and stored as
// the pointers that they are. Never: guesses between two pointers that an integer is
// made of.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Values/AddressArithmetic.h"
#include "isozyme/Values/BitFlow.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <limits>

using namespace llvm;

namespace isozyme {

namespace {
class Origins {
public:
  /// Is there one pointer that the integer \p V is computed from, on every way?
  bool exists(Value *V);
  /// That pointer, where \p V is known. Only if it exists.
  Value *of(Value *V);

private:
  bool search(Value *V);
  static SmallVector<Value *, 4> choices(Instruction &I);

  DenseMap<Value *, bool> Exists; ///< Being asked: true, so that cycles decide nothing.
  DenseMap<Value *, Value *> Made;
};
} // namespace

/// The values of which the integer is one.
SmallVector<Value *, 4> Origins::choices(Instruction &I) {
  if (isa<PHINode>(I))
    return SmallVector<Value *, 4>(I.op_begin(), I.op_end());
  if (isa<SelectInst>(I))
    return {I.getOperand(1), I.getOperand(2)};
  return {};
}

bool Origins::exists(Value *V) {
  bool Found = search(V);
  if (!Found) // What was only true if this is, is not.
    for (auto &[Value, Assumed] : make_early_inc_range(Exists))
      if (Assumed)
        Exists.erase(Value);
  return Found;
}

bool Origins::search(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return true;
  auto [It, New] = Exists.try_emplace(V, true);
  if (!New)
    return It->second;
  bool Found = false;
  if (isAddressArithmetic(*I)) {
    // The other operand must be a number; the difference of two pointers is one.
    unsigned Pointers = count_if(I->operands(), [&](const Use &U) { return search(U.get()); });
    Found = Pointers == 1 && (I->getOpcode() != Instruction::Sub || search(I->getOperand(0)));
  } else if (SmallVector<Value *, 4> All = choices(*I); !All.empty()) {
    Found = all_of(All, [&](Value *Choice) { return search(Choice); });
  }
  return Exists[V] = Found;
}

Value *Origins::of(Value *V) {
  auto *I = cast<Instruction>(V);
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return I->getOperand(0);
  if (Value *Known = Made.lookup(V))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    auto *New =
        PHINode::Create(PointerType::getUnqual(V->getContext()), Phi->getNumIncomingValues(),
                        Phi->getName() + ".origin", Phi->getIterator());
    Made[V] = New;
    for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
      New->addIncoming(of(Phi->getIncomingValue(K)), Phi->getIncomingBlock(K));
    return New;
  }
  if (auto *Choice = dyn_cast<SelectInst>(I)) {
    Value *True = of(Choice->getTrueValue()), *False = of(Choice->getFalseValue());
    Value *New = True == False ? True
                               : SelectInst::Create(Choice->getCondition(), True, False,
                                                    Choice->getName() + ".origin",
                                                    std::next(Choice->getIterator()));
    return Made[V] = New;
  }
  for (Value *Operand : I->operands())
    if (search(Operand))
      return Made[V] = of(Operand);
  llvm_unreachable("asked for an origin that does not exist");
}

/// The pointer that the integer \p Address is, as a distance from its origin.
static Value *pointerFor(Value *Address, Origins &All, IRBuilder<> &B) {
  Value *Origin = All.of(Address);
  Value *Distance = B.CreateSub(Address, B.CreatePtrToInt(Origin, Address->getType()));
  return B.CreateGEP(B.getInt8Ty(), Origin, Distance);
}

/// Are the bits of \p Load those of a float, too? Which of the two they are is then decided
/// elsewhere, as in a union: no address that can be followed.
static bool isFloatToo(const LoadInst &Load) {
  return becomesFloat(
      &Load, isChoice, [](const Value *) { return true; }, std::numeric_limits<unsigned>::max());
}

/// What the source calls it still tells where addresses are kept in integers.
static void keepNotes(Instruction &New, const Instruction &Old) {
  New.copyMetadata(Old,
                   {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
}

void lowerIntegerAddresses(Function &F) {
  PointerType *Pointer = PointerType::getUnqual(F.getContext());
  Type *Word = F.getDataLayout().getIndexType(Pointer);
  SmallVector<IntToPtrInst *, 4> Casts;
  SmallVector<StoreInst *, 4> Stores;
  SmallVector<LoadInst *, 4> Loads;
  for (Instruction &I : instructions(F)) {
    if (auto *Cast = dyn_cast<IntToPtrInst>(&I)) {
      if (Cast->getType() == Pointer && Cast->getOperand(0)->getType() == Word)
        Casts.push_back(Cast);
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->isSimple() && Store->getValueOperand()->getType() == Word)
        Stores.push_back(Store);
    } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (Load->isSimple() && Load->getType() == Word && becomesPointer(*Load) &&
          !isFloatToo(*Load))
        Loads.push_back(Load);
    }
  }
  for (LoadInst *Load : Loads) {
    IRBuilder<> B(Load);
    LoadInst *Address = B.CreateAlignedLoad(Pointer, Load->getPointerOperand(), Load->getAlign());
    keepNotes(*Address, *Load);
    Value *New = B.CreatePtrToInt(Address, Word);
    New->takeName(Load);
    Load->replaceAllUsesWith(New);
    Load->eraseFromParent();
  }
  Origins All;
  for (StoreInst *Store : Stores)
    if (Value *Address = Store->getValueOperand(); All.exists(Address)) {
      IRBuilder<> B(Store);
      StoreInst *New = B.CreateAlignedStore(pointerFor(Address, All, B), Store->getPointerOperand(),
                                            Store->getAlign());
      keepNotes(*New, *Store);
      Store->eraseFromParent();
    }
  for (IntToPtrInst *Cast : Casts)
    if (Value *Address = Cast->getOperand(0); All.exists(Address)) {
      IRBuilder<> B(Cast);
      Value *New = pointerFor(Address, All, B);
      New->takeName(Cast);
      Cast->replaceAllUsesWith(New);
      Cast->eraseFromParent();
    }
}

} // namespace isozyme
