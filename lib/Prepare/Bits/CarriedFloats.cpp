//===- CarriedFloats.cpp - Floats that a wider float carries --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two floats, or four halves, may be moved as one double: a union whose first member is a double
// is one to LLVM, and intrinsics of x86 load, choose and shuffle pairs of floats as doubles. The
// sum of the adjoints of two such doubles is not that of the floats. Doubles that are only moved
// become the vectors that they carry:
//
//   %d = load double, ptr %p                       %f = load <2 x float>, ptr %p
//   %v = insertelement <2 x double> %w, %d, 0  =>  %v = shufflevector ... %f
//   %x = bitcast <2 x double> %v to <4 x float>
//
// A load that is used both as what it is and as the floats in it is done twice: of a union, only
// one is meant. Likewise, doubles may be moved as pairs of floats, by shuffles that keep the pairs
// together; then these become doubles. What is computed as a double and read as floats stays: Plan
// refuses it.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/CarriedFloats.h"
#include "Steps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Floats that are moved from one to another, where they come from and where they go to.
class CarrierWeb {
public:
  CarrierWeb(Type *Carrier, Type *Carried)
      : Carrier(Carrier), Carried(Carried), IsWide(bitsIn(Carrier) > bitsIn(Carried)),
        Ratio(IsWide ? bitsIn(Carrier) / bitsIn(Carried) : bitsIn(Carried) / bitsIn(Carrier)) {}

  /// Follows the web from \p Cast, which reads or makes a carrier; false if more than moves are
  /// done with what is in it.
  bool collect(BitCastInst &Cast);
  void rewrite();

private:
  static int bitsIn(const Type *T) { return T->getPrimitiveSizeInBits(); }
  bool isCarrier(const Value *V) const { return V->getType()->getScalarType() == Carrier; }
  bool keepsTogether(const Instruction &Move) const;
  bool hasTwin(const Value &V) const;
  bool addSource(Value &V);
  bool addUses(Instruction &Node);
  bool addOperands(Instruction &Node);
  Type *twinType(const Type *T) const;
  SmallVector<int, 8> spread(ArrayRef<int> Mask) const;
  Value *twinOf(Value *V);
  Value *makeTwin(Instruction &I);
  Value *twinOfInsert(InsertElementInst &I, IRBuilder<> &B);
  Value *twinOfShuffle(ShuffleVectorInst &I, IRBuilder<> &B);
  Value *twinOfLoad(LoadInst &Load);
  void fillPhis();

  static constexpr unsigned MaxNodes = 128;
  Type *Carrier, *Carried;
  bool IsWide; ///< One carrier carries several.
  int Ratio;
  SmallSetVector<Instruction *, 8> Nodes; ///< Moves, and casts that make carriers.
  SmallSetVector<Instruction *, 8> Ends;  ///< Casts and stores that use carriers.
  DenseMap<Value *, Value *> Twins;
};

} // namespace

static unsigned lanesOf(const Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

/// Are there as many carriers in \p V as carry something whole?
bool CarrierWeb::hasTwin(const Value &V) const {
  return IsWide || lanesOf(V.getType()) % Ratio == 0;
}

/// Does \p Move leave carriers beside each other that carry something together?
bool CarrierWeb::keepsTogether(const Instruction &Move) const {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(&Move);
  if (IsWide || isa<PHINode, SelectInst, FreezeInst>(Move))
    return true;
  SmallVector<int, 8> Mask;
  return Shuffle && hasTwin(*Shuffle->getOperand(0)) && hasTwin(*Shuffle) &&
         widenShuffleMaskElts(Ratio, Shuffle->getShuffleMask(), Mask);
}

bool CarrierWeb::addSource(Value &V) {
  if (!hasTwin(V))
    return false;
  if (isa<Constant>(V))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(&V)) // It is done again.
    return Load->isSimple();
  auto *I = dyn_cast<Instruction>(&V);
  bool IsMove = I && isMoveOfFloats(*I) && keepsTogether(*I);
  if (!IsMove && !isa_and_nonnull<BitCastInst>(I))
    return false;
  Nodes.insert(I);
  return Nodes.size() <= MaxNodes;
}

bool CarrierWeb::addUses(Instruction &Node) {
  for (Use &U : Node.uses()) {
    auto *By = cast<Instruction>(U.getUser());
    auto *Store = dyn_cast<StoreInst>(By);
    if (Store ? Store->isSimple() && U.getOperandNo() == 0 : isa<BitCastInst>(By) && !isCarrier(By))
      Ends.insert(By);
    else if (Store || !isCarrier(By) || !addSource(*By) || isa<LoadInst>(By))
      return false;
  }
  return true;
}

bool CarrierWeb::addOperands(Instruction &Node) {
  return all_of(Node.operands(),
                [&](Use &U) { return !isCarrier(U.get()) || addSource(*U.get()); });
}

bool CarrierWeb::collect(BitCastInst &Cast) {
  Value *From = Cast.getOperand(0);
  if (!isCarrier(&Cast) && !isCarrier(From))
    return false;
  if (!isCarrier(&Cast))
    Ends.insert(&Cast);
  if (!addSource(isCarrier(&Cast) ? Cast : *From))
    return false;
  for (unsigned K = 0; K != Nodes.size(); ++K)
    if (Instruction *Node = Nodes[K]; !addUses(*Node) || !addOperands(*Node))
      return false;
  return true;
}

Type *CarrierWeb::twinType(const Type *T) const {
  if (IsWide)
    return FixedVectorType::get(Carried, Ratio * lanesOf(T));
  unsigned Count = lanesOf(T) / Ratio;
  return Count == 1 ? Carried : FixedVectorType::get(Carried, Count);
}

/// \p Mask of elements that are Ratio times as many.
SmallVector<int, 8> CarrierWeb::spread(ArrayRef<int> Mask) const {
  SmallVector<int, 8> Result;
  for (int From : Mask)
    for (int K = 0; K != Ratio; ++K)
      Result.push_back(From < 0 ? From : From * Ratio + K);
  return Result;
}

Value *CarrierWeb::twinOfInsert(InsertElementInst &I, IRBuilder<> &B) {
  Value *Into = twinOf(I.getOperand(0)), *Part = twinOf(I.getOperand(1));
  int Count = cast<FixedVectorType>(Into->getType())->getNumElements();
  int At = cast<ConstantInt>(I.getOperand(2))->getZExtValue() * Ratio;
  SmallVector<int, 8> Widen, Mask;
  for (int K = 0; K != Count; ++K) {
    Widen.push_back(K < Ratio ? K : PoisonMaskElem);
    Mask.push_back(K >= At && K < At + Ratio ? Count + K - At : K);
  }
  return B.CreateShuffleVector(Into, B.CreateShuffleVector(Part, Widen), Mask);
}

Value *CarrierWeb::twinOfShuffle(ShuffleVectorInst &I, IRBuilder<> &B) {
  Value *First = twinOf(I.getOperand(0)), *Second = twinOf(I.getOperand(1));
  if (IsWide)
    return B.CreateShuffleVector(First, Second, spread(I.getShuffleMask()));
  SmallVector<int, 8> Mask;
  [[maybe_unused]] bool IsWhole = widenShuffleMaskElts(Ratio, I.getShuffleMask(), Mask);
  assert(IsWhole && "keepsTogether has seen to it");
  // One alone is no vector.
  int Count = lanesOf(First->getType());
  auto LaneOf = [&](int From) -> Value * {
    Value *Of = From < Count ? First : Second;
    return Count == 1 ? Of : B.CreateExtractElement(Of, uint64_t(From % Count));
  };
  if (Mask.size() > 1 && Count > 1)
    return B.CreateShuffleVector(First, Second, Mask);
  Value *Result = PoisonValue::get(twinType(I.getType()));
  if (Mask.size() == 1)
    return Mask.front() < 0 ? Result : LaneOf(Mask.front());
  for (auto [To, From] : enumerate(Mask))
    if (From >= 0)
      Result = B.CreateInsertElement(Result, LaneOf(From), To);
  return Result;
}

Value *CarrierWeb::twinOfLoad(LoadInst &Load) {
  IRBuilder<> B(&Load);
  LoadInst *New = B.CreateAlignedLoad(twinType(Load.getType()), Load.getPointerOperand(),
                                      Load.getAlign(), Load.getName() + ".carried");
  New->copyMetadata(
      Load, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
  return New;
}

Value *CarrierWeb::makeTwin(Instruction &I) {
  Type *T = twinType(I.getType());
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return twinOfLoad(*Load);
  IRBuilder<> B(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return B.CreatePHI(T, Phi->getNumIncomingValues(), Phi->getName() + ".carried");
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return twinOfInsert(*Insert, B);
  if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
    Value *Source = Cast->getOperand(0);
    return B.CreateBitCast(isCarrier(Source) ? twinOf(Source) : Source, T);
  }
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return B.CreateSelect(Select->getCondition(), twinOf(Select->getTrueValue()),
                          twinOf(Select->getFalseValue()));
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    int At = cast<ConstantInt>(Extract->getIndexOperand())->getZExtValue();
    return B.CreateShuffleVector(twinOf(Extract->getVectorOperand()), spread({At}));
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return twinOfShuffle(*Shuffle, B);
  return B.CreateFreeze(twinOf(I.getOperand(0)));
}

Value *CarrierWeb::twinOf(Value *V) {
  if (Value *Known = Twins.lookup(V))
    return Known;
  Value *Twin = nullptr;
  if (auto *C = dyn_cast<Constant>(V))
    Twin = ConstantExpr::getBitCast(C, twinType(C->getType()));
  else
    Twin = makeTwin(*cast<Instruction>(V));
  return Twins[V] = Twin;
}

void CarrierWeb::fillPhis() {
  for (Instruction *Node : Nodes)
    if (auto *Phi = dyn_cast<PHINode>(Node))
      for (auto [V, From] : zip_equal(Phi->incoming_values(), Phi->blocks()))
        cast<PHINode>(Twins.lookup(Phi))->addIncoming(twinOf(V), From);
}

void CarrierWeb::rewrite() {
  for (Instruction *Node : Nodes) // What a loop carries comes first.
    if (isa<PHINode>(Node))
      twinOf(Node);
  SmallVector<WeakTrackingVH, 8> Left(Nodes.begin(), Nodes.end());
  for (Instruction *End : Ends) {
    Left.push_back(End->getOperand(0));
    Value *Twin = twinOf(End->getOperand(0));
    if (isa<StoreInst>(End)) {
      End->setOperand(0, Twin);
      End->setMetadata(LLVMContext::MD_tbaa, nullptr);
    } else {
      End->replaceAllUsesWith(IRBuilder<>(End).CreateBitCast(Twin, End->getType()));
      End->eraseFromParent();
    }
  }
  fillPhis();
  for (WeakTrackingVH &Node : Left)
    if (auto *Phi = dyn_cast_or_null<PHINode>(Node))
      RecursivelyDeleteDeadPHINode(Phi);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Left);
}

void separateCarriedFloats(Function &F) {
  SmallVector<WeakTrackingVH, 8> Casts;
  for (Instruction &I : instructions(F))
    if (isa<BitCastInst>(I))
      Casts.push_back(&I);
  for (WeakTrackingVH &Each : Casts) {
    auto *Cast = dyn_cast_or_null<BitCastInst>(Each);
    auto [Wide, Narrow] = Cast ? carriedBy(*Cast) : std::pair<Type *, Type *>();
    if (!Wide)
      continue;
    CarrierWeb OfWide(Wide, Narrow), OfNarrow(Narrow, Wide);
    if (OfWide.collect(*Cast))
      OfWide.rewrite();
    else if (OfNarrow.collect(*Cast))
      OfNarrow.rewrite();
  }
}

} // namespace isozyme
