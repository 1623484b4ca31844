//===- PointerBits.cpp - Floats that pass through pointers ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a union of an address and a number, the optimiser keeps what was loaded or is stored as
// a pointer, whichever of the two is meant. The number is a number in memory:
//
//   %p = load ptr, ptr %u                  %p = load ptr, ptr %u
//   %i = ptrtoint ptr %p to i64            %p.bits = load i64, ptr %u
//   %x = bitcast i64 %i to double    =>    %x = bitcast i64 %p.bits to double
//
// and the same of what is stored. The other way round, where a float is loaded whose bits are an
// address, an index or a case, that is loaded, too. Never: touches an address that is made here.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Values/BitFlow.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Makes integers of the bits of pointers, from where these come from.
class BitMaker {
public:
  explicit BitMaker(Type *Word) : Word(Word) {}
  Value *bitsOf(Value *Pointer);

private:
  Value *bitsOfPhi(PHINode &Phi);

  Type *Word;
  DenseMap<Value *, Value *> Made;
};

} // namespace

/// Does \p V come from memory or from an integer, or is null, on every way?
static bool isOnlyBits(const Value *V) {
  return !mayBeCopyOf(V, [&](const Value *From) {
    auto *Load = dyn_cast<LoadInst>(From);
    auto *Cast = dyn_cast<IntToPtrInst>(From);
    bool Whole = Cast && Cast->getOperand(0)->getType() ==
                             Cast->getDataLayout().getIntPtrType(Cast->getType());
    return !isChoice(*From) && !(Load && Load->isSimple()) && !Whole && !isBitConstant(From);
  });
}

Value *BitMaker::bitsOfPhi(PHINode &Phi) {
  PHINode *Bits =
      PHINode::Create(Word, Phi.getNumIncomingValues(), Phi.getName() + ".bits", Phi.getIterator());
  Made[&Phi] = Bits;
  for (auto [V, BB] : zip_equal(Phi.incoming_values(), Phi.blocks()))
    Bits->addIncoming(bitsOf(V), BB);
  return Bits;
}

Value *BitMaker::bitsOf(Value *Pointer) {
  if (Value *Known = Made.lookup(Pointer))
    return Known;
  if (auto *C = dyn_cast<Constant>(Pointer))
    return ConstantExpr::getPtrToInt(C, Word);
  if (auto *Cast = dyn_cast<IntToPtrInst>(Pointer))
    return Cast->getOperand(0);
  if (auto *Phi = dyn_cast<PHINode>(Pointer))
    return bitsOfPhi(*Phi);
  auto *I = cast<Instruction>(Pointer);
  IRBuilder<> B(I);
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    LoadInst *Bits = B.CreateAlignedLoad(Word, Load->getPointerOperand(), Load->getAlign(),
                                         Load->getName() + ".bits");
    Bits->copyMetadata(
        *Load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    return Made[I] = Bits;
  }
  if (auto *Select = dyn_cast<SelectInst>(I))
    return Made[I] = B.CreateSelect(Select->getCondition(), bitsOf(Select->getTrueValue()),
                                    bitsOf(Select->getFalseValue()));
  return Made[I] = B.CreateFreeze(bitsOf(I->getOperand(0)));
}

static bool becomesFloat(const PtrToIntInst &Cast) {
  return becomesFloat(&Cast, isChoice, [](const Value *) { return true; });
}

static bool comesFromFloat(const Value *Pointer) {
  auto MadeOf = [](const Value *V) {
    auto *Cast = dyn_cast<IntToPtrInst>(V);
    return Cast ? Operands{Cast->getOperand(0)} : choicesOf(V);
  };
  return comesFrom(Pointer, MadeOf, [](const Value *From) {
    auto *Cast = dyn_cast<BitCastInst>(From);
    return Cast && Cast->getOperand(0)->getType()->isFPOrFPVectorTy();
  });
}

/// How a union is used that is loaded as an integer.
enum class Member { Float, Address, Number, Any };

/// Is memory accessed by the address \p V? What is only moved may be a float.
static bool isFollowed(const Value &V) {
  return any_of(V.uses(), [](const Use &U) {
    return isa<LoadInst, GetElementPtrInst>(U.getUser()) ||
           (isa<StoreInst>(U.getUser()) && U.getOperandNo() == 1);
  });
}

static Member memberFor(const Use &U) {
  const User *By = U.getUser();
  if (isa<BitCastInst>(By) && By->getType()->isFloatingPointTy())
    return Member::Float;
  if (isa<IntToPtrInst>(By))
    return isFollowed(*By) ? Member::Address : Member::Any;
  bool IsNumber = isa<SwitchInst>(By) || (isa<GetElementPtrInst>(By) && U.getOperandNo());
  return IsNumber ? Member::Number : Member::Any;
}

/// Is \p V used as more than one of the members that a union may have?
static bool isForSeveral(const Value &V) {
  auto IsFor = [&](Member M) {
    return any_of(V.uses(), [M](const Use &U) { return memberFor(U) == M; });
  };
  return IsFor(Member::Float) + IsFor(Member::Address) + IsFor(Member::Number) > 1;
}

/// Where what \p Cast makes of a load is used as \p Chosen tells, it is loaded as that.
static void loadAsCast(CastInst &Cast, function_ref<bool(const Use &)> Chosen) {
  auto *Load = cast<LoadInst>(Cast.getOperand(0));
  LoadInst *Other = IRBuilder<>(Load).CreateAlignedLoad(
      Cast.getType(), Load->getPointerOperand(), Load->getAlign(), Load->getName() + ".other");
  Other->copyMetadata(*Load, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  Cast.replaceUsesWithIf(Other, [&](Use &U) { return Chosen(U); });
}

/// Loads each member of a union, where the optimiser loads one for several:
///
///   %i = load i64, ptr %u             %i = load i64, ptr %u
///   getelementptr ..., i64 %i    =>   getelementptr ..., i64 %i
///   %x = bitcast i64 %i to double     %x = load double, ptr %u
///
/// and so where a float is loaded whose bits are an address, an index or a case.
static void loadEachMember(Function &F) {
  SmallVector<CastInst *, 4> OfFloats, OfIntegers;
  auto Collect = [&](bool Integers, SmallVectorImpl<CastInst *> &Casts) {
    for (Instruction &I : instructions(F)) {
      auto *Cast = isa<BitCastInst, IntToPtrInst>(I) ? cast<CastInst>(&I) : nullptr;
      auto *Load = Cast ? dyn_cast<LoadInst>(Cast->getOperand(0)) : nullptr;
      if (Load && Load->isSimple() && Cast->isNoopCast(F.getDataLayout()) &&
          (Integers ? Load->getType()->isIntegerTy() && isForSeveral(*Load)
                    : Load->getType()->isFloatingPointTy() && Cast->getType()->isIntegerTy()))
        Casts.push_back(Cast);
    }
  };
  Collect(false, OfFloats);
  for (CastInst *Cast : OfFloats)
    if (any_of(Cast->uses(), [](const Use &U) { return memberFor(U) != Member::Any; }))
      loadAsCast(*Cast, [](const Use &U) { return memberFor(U) != Member::Any; });
  Collect(true, OfIntegers);
  for (CastInst *Cast : OfIntegers)
    loadAsCast(*Cast, [](const Use &) { return true; });
  OfIntegers.append(OfFloats);
  for (CastInst *Cast : OfIntegers)
    RecursivelyDeleteTriviallyDeadInstructions(Cast);
}

void separatePointerBits(Function &F) {
  loadEachMember(F);
  Type *Word = F.getDataLayout().getIntPtrType(PointerType::getUnqual(F.getContext()));
  SmallVector<PtrToIntInst *, 4> Casts;
  SmallVector<StoreInst *, 4> Stores;
  for (Instruction &I : instructions(F)) {
    auto *Cast = dyn_cast<PtrToIntInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    if (Cast && Cast->getType() == Word && becomesFloat(*Cast) && isOnlyBits(Cast->getOperand(0)))
      Casts.push_back(Cast);
    else if (Store && Store->isSimple() && Store->getValueOperand()->getType()->isPointerTy() &&
             comesFromFloat(Store->getValueOperand()) && isOnlyBits(Store->getValueOperand()))
      Stores.push_back(Store);
  }
  BitMaker Maker(Word);
  SmallVector<WeakTrackingVH, 8> Left;
  for (PtrToIntInst *Cast : Casts) {
    Left.push_back(Cast->getOperand(0));
    Cast->replaceAllUsesWith(Maker.bitsOf(Cast->getOperand(0)));
    Cast->eraseFromParent();
  }
  for (StoreInst *Store : Stores) {
    Left.push_back(Store->getValueOperand());
    Store->setOperand(0, Maker.bitsOf(Store->getValueOperand()));
  }
  for (WeakTrackingVH &Pointer : Left)
    if (auto *Phi = dyn_cast_or_null<PHINode>(Pointer))
      RecursivelyDeleteDeadPHINode(Phi);
    else if (Pointer)
      RecursivelyDeleteTriviallyDeadInstructions(Pointer);
}

} // namespace isozyme
