//===- ElementPlaces.cpp - Elements of small arrays in records ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s->v[j] with `double v[3]` touches three places, not every eighth byte of the
// record around v. Spells such places out where the GEP, or a local variable, has the
// array's type, so that the members beside the array keep their own types.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Values/Choices.h"
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace isozyme;
using namespace llvm::PatternMatch;

/// More elements than this are "every so many bytes".
static constexpr uint64_t SmallArray = 64;
/// Counters that take more numbers than this are not followed.
static constexpr unsigned MaxNumbers = 8;

/// Nor are choices between more values than this.
static constexpr unsigned MaxChoices = 8;

/// The constants that \p Index is one of: the left or the right child of a node of a tree. In
/// blocks of their own, members are told apart, by \p Bytes, and not elements, which are all alike.
static SmallVector<int64_t, 4> constantChoices(const Value &Index, bool Bytes) {
  if (!isa<SelectInst>(Index) && !(Bytes && isa<PHINode>(Index)))
    return {};
  SmallSetVector<int64_t, 4> Numbers;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&Index);
  for (unsigned K = 0; K < Work.size(); ++K) {
    if (auto *Number = dyn_cast<ConstantInt>(Work[K])) {
      Numbers.insert(Number->getSExtValue());
      continue;
    }
    auto *Choice = dyn_cast<Instruction>(Work[K]);
    SmallVector<Value *, 2> From = Choice ? alternativesOf(*Choice) : SmallVector<Value *, 2>();
    Work.insert(From.begin(), From.end());
    if (From.empty() || Work.size() > MaxChoices)
      return {};
  }
  return SmallVector<int64_t, 4>(Numbers.begin(), Numbers.end());
}

/// Numbers that are computed in more steps from a counter are not followed.
static constexpr unsigned MaxPathDepth = 8;

/// What \p V, which is computed from the counter \p Phi and constants, is where that is \p Number.
static std::optional<APInt> valueAt(const Value &V, const PHINode &Phi, const APInt &Number,
                                    unsigned Depth = 0) {
  if (&V == &Phi)
    return Number;
  if (auto *C = dyn_cast<ConstantInt>(&V))
    return C->getValue();
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == MaxPathDepth || !(isa<SExtInst, ZExtInst, BinaryOperator>(I)))
    return std::nullopt;
  std::optional<APInt> A = valueAt(*I->getOperand(0), Phi, Number, Depth + 1);
  unsigned Bits = V.getType()->getScalarSizeInBits();
  if (A && isa<CastInst>(I))
    return isa<ZExtInst>(I) ? A->zext(Bits) : A->sext(Bits);
  std::optional<APInt> B = A ? valueAt(*I->getOperand(1), Phi, Number, Depth + 1) : A;
  if (!B)
    return std::nullopt;
  switch (I->getOpcode()) {
  case Instruction::Add:
    return *A + *B;
  case Instruction::Sub:
    return *A - *B;
  case Instruction::Mul:
    return *A * *B;
  case Instruction::Or:
    return *A | *B;
  default:
    return std::nullopt;
  }
}

/// The counter that \p V may be computed from, with constants alone.
static const PHINode *counterIn(const Value *V) {
  for (unsigned Depth = 0; Depth < MaxPathDepth; ++Depth) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isa<SExtInst, ZExtInst, BinaryOperator>(I))
      break;
    V = I->getOperand(!isa<CastInst>(I) && isa<Constant>(I->getOperand(0)));
  }
  return dyn_cast<PHINode>(V);
}

namespace {

/// A number that grows or shrinks by a constant from one iteration to the next.
struct Counter {
  const PHINode *Phi;
  APInt Number, By;
};

} // namespace

static std::optional<Counter> counterOf(const PHINode *Phi) {
  BinaryOperator *Next = nullptr;
  Value *Start = nullptr, *Step = nullptr;
  if (!Phi || !matchSimpleRecurrence(Phi, Next, Start, Step) || Next->getOperand(0) != Phi)
    return std::nullopt;
  auto *First = dyn_cast<ConstantInt>(Start), *By = dyn_cast<ConstantInt>(Step);
  bool Shrinks = Next->getOpcode() == Instruction::Sub;
  if (!First || !By || First->getBitWidth() > 64 ||
      (!Shrinks && Next->getOpcode() != Instruction::Add))
    return std::nullopt;
  return Counter{Phi, First->getValue(), Shrinks ? -By->getValue() : By->getValue()};
}

/// The numbers that the counter \p Phi of a loop takes, where they are few: its start and, as long
/// as the branch at the end of the loop goes back, those that are a step further. The branch may
/// test another counter, such as how many are to come.
static SmallVector<APInt, 4> numbersOfCounter(const PHINode &Phi) {
  std::optional<Counter> Counted = counterOf(&Phi);
  if (!Counted)
    return {};
  const BasicBlock *End = Phi.getIncomingBlock(isa<ConstantInt>(Phi.getIncomingValue(0)) ? 1 : 0);
  auto *Branch = dyn_cast<BranchInst>(End->getTerminator());
  auto *Test =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  auto *Bound = Test ? dyn_cast<ConstantInt>(Test->getOperand(1)) : nullptr;
  std::optional<Counter> Tested =
      Bound ? counterOf(counterIn(Test->getOperand(0))) : std::optional<Counter>();
  if (!Tested || Tested->Phi->getParent() != Phi.getParent() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {};
  bool GoesOn = Branch->getSuccessor(0) == Phi.getParent();
  SmallVector<APInt, 4> Numbers;
  while (Numbers.size() < MaxNumbers) {
    Numbers.push_back(Counted->Number);
    std::optional<APInt> Left = valueAt(*Test->getOperand(0), *Tested->Phi, Tested->Number);
    if (!Left)
      return {};
    if (ICmpInst::compare(*Left, Bound->getValue(), Test->getPredicate()) != GoesOn)
      return Numbers;
    Counted->Number += Counted->By;
    Tested->Number += Tested->By;
  }
  return {};
}

/// The numbers that \p Index, a counter or a constant more or less than one, takes, where these
/// are few:
///
///   for (int i = 0; i < 2; i++) total *= sizes[1 - i];
static SmallVector<int64_t, 4> countedNumbers(const Value &Index) {
  const PHINode *Phi = counterIn(&Index);
  SmallVector<int64_t, 4> Numbers;
  for (const APInt &Number : Phi ? numbersOfCounter(*Phi) : SmallVector<APInt, 4>()) {
    std::optional<APInt> Value = valueAt(Index, *Phi, Number);
    if (!Value)
      return {};
    Numbers.push_back(Value->getSExtValue());
  }
  return Numbers;
}

/// Does a step lead to places that a counter, or what is a constant more or less, numbers?
static bool countsPlaces(const GEPOperator &GEP) {
  return any_of(GEP.indices(), [](const Use &U) { return !countedNumbers(*U).empty(); });
}

bool isozyme::choosesPlace(const GEPOperator &GEP) {
  bool Bytes = GEP.getSourceElementType()->isIntegerTy(8);
  return any_of(GEP.indices(), [&](const Use &U) { return !constantChoices(*U, Bytes).empty(); });
}

SmallVector<const Value *, 4> isozyme::chosenAddresses(const Value &Ptr) {
  SmallSetVector<const Value *, 8> Work;
  SmallVector<const Value *, 4> Addresses;
  bool AnyChoice = false;
  Work.insert(&Ptr);
  for (unsigned K = 0; K < Work.size(); ++K) {
    auto *Choice = dyn_cast<Instruction>(Work[K]);
    SmallVector<Value *, 2> From = Choice ? alternativesOf(*Choice) : SmallVector<Value *, 2>();
    Work.insert(From.begin(), From.end());
    if (Work.size() > MaxChoices)
      return {&Ptr};
    if (!From.empty())
      continue;
    auto *GEP = dyn_cast<GEPOperator>(Work[K]);
    AnyChoice |= GEP && choosesPlace(*GEP);
    Addresses.push_back(Work[K]);
  }
  return AnyChoice ? Addresses : SmallVector<const Value *, 4>{&Ptr};
}

/// Is \p GEP a counted step from a record, one of an array or a local variable, to an element in
/// it?
static bool isInRecord(const GEPOperator &GEP, PointerTarget Base, uint64_t Size) {
  auto *Local = dyn_cast<AllocaInst>(GEP.getPointerOperand()->stripInBoundsConstantOffsets());
  bool IsRecord = Base.Stride > Size || (Local && Local->getAllocatedType()->isStructTy());
  return Base.isValid() && IsRecord && GEP.getNumIndices() == 1 &&
         GEP.getSourceElementType()->isSingleValueType() && countsPlaces(GEP);
}

namespace {

/// An array of a variable: its first element as seen from an address in it, and how many it has.
struct ArrayAround {
  int64_t First;
  uint64_t Count;
};

} // namespace

/// The array of \p Element, by the type of a variable, that \p Ptr leads to an element of.
static std::optional<ArrayAround> arrayAround(const Value &Ptr, Type *Element,
                                              const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr.getType()), 0);
  const Value *Variable = Ptr.stripAndAccumulateConstantOffsets(DL, Offset, true);
  auto *Local = dyn_cast<AllocaInst>(Variable);
  if (!Local || Local->isArrayAllocation() || !Local->getAllocatedType()->isSized())
    return std::nullopt;
  Type *T = Local->getAllocatedType();
  uint64_t Inside = Offset.getZExtValue();
  while (!T->isScalableTy() && Inside < DL.getTypeAllocSize(T).getFixedValue()) {
    if (auto *Record = dyn_cast<StructType>(T)) {
      const StructLayout *Layout = DL.getStructLayout(Record);
      unsigned Member = Layout->getElementContainingOffset(Inside);
      Inside -= Layout->getElementOffset(Member);
      T = Record->getElementType(Member);
      continue;
    }
    if (!isa<ArrayType>(T))
      return std::nullopt;
    uint64_t Whole = DL.getTypeAllocSize(T), Size = DL.getTypeAllocSize(Element);
    Type *Row = T;
    while (isa<ArrayType>(Row))
      Row = Row->getArrayElementType();
    if (Row == Element && Inside % Size == 0)
      return ArrayAround{-int64_t(Inside), Whole / Size};
    T = T->getArrayElementType();
    Inside %= DL.getTypeAllocSize(T).getFixedValue();
  }
  return std::nullopt;
}

SmallVector<PointerTarget, 4> isozyme::placesOfElement(const GEPOperator &GEP, PointerTarget Base,
                                                       PointerTarget Whole, uint64_t Size,
                                                       const DataLayout &DL, bool Counted) {
  Counted |= isInRecord(GEP, Base, Size);
  if (!Whole.Stride || !Base.isValid() || isa<VectorType>(GEP.getType()))
    return {Whole};
  SmallVector<PointerTarget, 4> Places = {Base};
  Type *Element = GEP.getSourceElementType();
  std::optional<ArrayAround> Array;
  if (GEP.getNumIndices() == 1 && !Element->isAggregateType() &&
      constantChoices(**GEP.idx_begin(), Element->isIntegerTy(8)).empty())
    Array = arrayAround(*GEP.getPointerOperand(), Element, DL);
  if (Array && Array->Count <= SmallArray) {
    uint64_t Step = DL.getTypeAllocSize(Element);
    Places.clear();
    for (uint64_t K = 0; K * Step + Size <= Array->Count * Step; ++K)
      Places.push_back(Base.plus(Array->First + int64_t(K * Step)));
    return Places.empty() ? SmallVector<PointerTarget, 4>{Whole} : Places;
  }
  Type *Container = nullptr;
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End; ++It) {
    auto *Array = dyn_cast_or_null<ArrayType>(Container);
    Container = It.getIndexedType();
    uint64_t Size = It.isStruct() ? 0 : It.getSequentialElementStride(DL).getKnownMinValue();
    if (auto *C = dyn_cast<ConstantInt>(It.getOperand())) {
      int64_t Bytes = It.isStruct() ? int64_t(DL.getStructLayout(It.getStructType())
                                                  ->getElementOffset(C->getZExtValue())
                                                  .getFixedValue())
                                    : C->getSExtValue() * int64_t(Size);
      for (PointerTarget &T : Places)
        T = T.plus(Bytes);
      continue;
    }
    uint64_t Count = Array ? Array->getNumElements() : 0;
    SmallVector<int64_t, 4> Indices = constantChoices(*It.getOperand(), Element->isIntegerTy(8));
    if (Indices.empty() && Counted)
      Indices = countedNumbers(*It.getOperand());
    if (Indices.empty() && Count * Places.size() <= SmallArray)
      for (uint64_t K = 0; K != Count; ++K)
        Indices.push_back(K);
    if (Indices.empty()) {
      for (PointerTarget &T : Places)
        T = T.plus(0, Size * distanceMultiple(*It.getOperand(), DL), Whole.Onward);
      continue;
    }
    SmallVector<PointerTarget, 4> Each;
    for (const PointerTarget &T : Places)
      for (int64_t K : Indices)
        Each.push_back(T.plus(K * int64_t(Size)));
    Places = std::move(Each);
  }
  if (Places.size() == 1)
    return {Whole}; // Of which more may be known.
  return Places;
}

SmallVector<PointerTarget, 4> GraphBuilder::chosenPlaces(const Value *Ptr, Type *T, bool Counted) {
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  bool Chooses = GEP ? choosesPlace(*GEP) : chosenAddresses(*Ptr).front() != Ptr;
  if (Chooses ||
      (GEP && ((Counted && countsPlaces(*GEP)) ||
               isInRecord(*GEP, targetOf(GEP->getPointerOperand()), DL.getTypeStoreSize(T)))))
    return placesOf(Ptr, T, Counted);
  return {targetOf(Ptr)};
}
