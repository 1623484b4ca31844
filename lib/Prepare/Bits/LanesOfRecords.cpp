//===- LanesOfRecords.cpp - Members of a record that are loaded as lanes --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record of a number and an address, as an expression that a function template keeps, is loaded
// by the optimiser as one vector of floats. Each member is loaded by itself:
//
//   %v = load <2 x double>, ptr %r
//   %i = bitcast <2 x double> %v to <2 x i64>
//   %n = extractelement <2 x i64> %i, i64 1          %x = load double, ptr %r
//   %p = inttoptr i64 %n to ptr                =>    %p = load ptr, ptr (%r + 8)
//   %x = extractelement <2 x double> %v, i64 0
//
// Of what is no address, the bits of a float that is loaded tell what it is (PointerBits.cpp).
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Loads lanes of a vector one by one, each as it is asked for.
class LaneLoader {
public:
  explicit LaneLoader(LoadInst &Load) : Load(Load), B(&Load) {}
  Value *lane(uint64_t K) { return lane(K, Load.getType()->getScalarType()); }
  Value *lane(uint64_t K, Type *T);
  /// What \p Mask makes of the lanes.
  Value *shuffled(ArrayRef<int> Mask);

private:
  LoadInst &Load;
  IRBuilder<> B;
  SmallDenseMap<std::pair<uint64_t, Type *>, Value *, 4> Loaded;
};

} // namespace

Value *LaneLoader::lane(uint64_t K, Type *T) {
  Value *&Lane = Loaded[{K, T}];
  if (Lane)
    return Lane;
  uint64_t At = K * Load.getDataLayout().getTypeStoreSize(T);
  Value *Ptr = Load.getPointerOperand();
  if (At)
    Ptr = B.CreateInBoundsPtrAdd(Ptr, B.getInt64(At));
  LoadInst *Part =
      B.CreateAlignedLoad(T, Ptr, commonAlignment(Load.getAlign(), At), Load.getName() + ".lane");
  Part->copyMetadata(Load, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  return Lane = Part;
}

Value *LaneLoader::shuffled(ArrayRef<int> Mask) {
  Value *Result =
      PoisonValue::get(FixedVectorType::get(Load.getType()->getScalarType(), Mask.size()));
  if (all_equal(Mask) && Mask.front() >= 0)
    return B.CreateVectorSplat(Mask.size(), lane(Mask.front()));
  for (auto [K, From] : enumerate(Mask))
    if (From >= 0)
      Result = B.CreateInsertElement(Result, lane(From), K);
  return Result;
}

/// The lane that \p U takes out of a vector of \p Count lanes; nothing if it does anything else.
static std::optional<uint64_t> laneTakenBy(const User *U, unsigned Count) {
  auto *Extract = dyn_cast<ExtractElementInst>(U);
  auto *Index = Extract ? dyn_cast<ConstantInt>(Extract->getIndexOperand()) : nullptr;
  if (!Index || Index->getValue().uge(Count))
    return std::nullopt;
  return Index->getZExtValue();
}

/// Is \p Load a vector of floats of which lanes are taken, some of them as integers, and nothing
/// else?
static bool isLoadOfRecord(const LoadInst &Load) {
  auto *T = dyn_cast<FixedVectorType>(Load.getType());
  if (!T || !Load.isSimple() || !T->getElementType()->isFloatingPointTy())
    return false;
  unsigned Count = T->getNumElements();
  bool TakesIntegers = false;
  for (const User *U : Load.users()) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
    auto *Cast = dyn_cast<BitCastInst>(U);
    auto *Integers = Cast ? dyn_cast<FixedVectorType>(Cast->getType()) : nullptr;
    bool IsCast = Integers && Integers->getElementType()->isIntegerTy() &&
                  Integers->getNumElements() == Count &&
                  all_of(Cast->users(), [&](const User *By) { return laneTakenBy(By, Count); });
    bool IsShuffle = Shuffle && Shuffle->getOperand(0) == &Load &&
                     isa<UndefValue>(Shuffle->getOperand(1)) &&
                     all_of(Shuffle->getShuffleMask(), [&](int From) { return From < int(Count); });
    if (!IsCast && !IsShuffle && !laneTakenBy(U, Count))
      return false;
    TakesIntegers |= IsCast && !Cast->use_empty();
  }
  return TakesIntegers;
}

static void putInPlaceOf(User *U, Value *By) {
  auto *I = cast<Instruction>(U);
  By->takeName(I);
  I->replaceAllUsesWith(By);
  I->eraseFromParent();
}

/// Replaces \p Taken, the lane \p K as an integer.
static void replaceInteger(Instruction &Taken, LaneLoader &Loader, uint64_t K) {
  const DataLayout &DL = Taken.getDataLayout();
  for (User *U : make_early_inc_range(Taken.users()))
    if (auto *Cast = dyn_cast<IntToPtrInst>(U); Cast && Cast->isNoopCast(DL))
      putInPlaceOf(U, Loader.lane(K, Cast->getType()));
  if (Taken.use_empty())
    Taken.eraseFromParent();
  else
    putInPlaceOf(&Taken, IRBuilder<>(&Taken).CreateBitCast(Loader.lane(K), Taken.getType()));
}

static void loadLanes(LoadInst &Load) {
  LaneLoader Loader(Load);
  unsigned Count = cast<FixedVectorType>(Load.getType())->getNumElements();
  for (User *U : make_early_inc_range(Load.users())) {
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(U)) {
      putInPlaceOf(U, Loader.shuffled(Shuffle->getShuffleMask()));
    } else if (std::optional<uint64_t> Lane = laneTakenBy(U, Count)) {
      putInPlaceOf(U, Loader.lane(*Lane));
    } else {
      for (User *By : make_early_inc_range(U->users()))
        replaceInteger(*cast<Instruction>(By), Loader, *laneTakenBy(By, Count));
      cast<Instruction>(U)->eraseFromParent();
    }
  }
  Load.eraseFromParent();
}

void loadLanesOfRecords(Function &F) {
  SmallVector<LoadInst *, 4> Records;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && isLoadOfRecord(*Load))
      Records.push_back(Load);
  for (LoadInst *Load : Records)
    loadLanes(*Load);
}

} // namespace isozyme
