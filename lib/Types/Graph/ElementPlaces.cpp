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
#include "isozyme/Values/KnownMultiple.h"
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

/// The two constants that \p Index is one of: the left or the right child of a node of a tree.
static SmallVector<int64_t, 4> constantChoices(const Value &Index) {
  auto *Choice = dyn_cast<SelectInst>(&Index);
  auto *A = Choice ? dyn_cast<ConstantInt>(Choice->getTrueValue()) : nullptr;
  auto *B = Choice ? dyn_cast<ConstantInt>(Choice->getFalseValue()) : nullptr;
  if (!A || !B)
    return {};
  return {A->getSExtValue(), B->getSExtValue()};
}

/// The numbers that the counter \p Phi of a loop takes, where they are few: its start and, as long
/// as the branch at the end of the loop goes back, those that are a step further.
static SmallVector<int64_t, 4> numbersOfCounter(const PHINode &Phi) {
  BinaryOperator *Next = nullptr;
  Value *Start = nullptr, *Step = nullptr;
  if (!matchSimpleRecurrence(&Phi, Next, Start, Step) || Next->getOpcode() != Instruction::Add)
    return {};
  const BasicBlock *End = Phi.getIncomingBlock(Phi.getIncomingValue(0) == Next ? 0 : 1);
  auto *Branch = dyn_cast<BranchInst>(End->getTerminator());
  auto *Test =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  auto *First = dyn_cast<ConstantInt>(Start), *By = dyn_cast<ConstantInt>(Step);
  auto *Bound = Test ? dyn_cast<ConstantInt>(Test->getOperand(1)) : nullptr;
  bool TestsNext = Test && Test->getOperand(0) == Next;
  if (!First || !By || !Bound || (!TestsNext && Test->getOperand(0) != &Phi) ||
      First->getBitWidth() > 64 || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {};
  bool GoesOn = Branch->getSuccessor(0) == Phi.getParent();
  SmallVector<int64_t, 4> Numbers;
  for (APInt Number = First->getValue(); Numbers.size() < MaxNumbers;) {
    Numbers.push_back(Number.getSExtValue());
    APInt Following = Number + By->getValue();
    if (ICmpInst::compare(TestsNext ? Following : Number, Bound->getValue(),
                          Test->getPredicate()) != GoesOn)
      return Numbers;
    Number = Following;
  }
  return {};
}

/// The numbers that \p Index, a counter or a constant more or less than one, takes, where these
/// are few:
///
///   for (int i = 0; i < 2; i++) total *= sizes[1 - i];
static SmallVector<int64_t, 4> countedNumbers(const Value &Index, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  if (auto *Phi = dyn_cast<PHINode>(&Index))
    return numbersOfCounter(*Phi);
  const Value *Rest = nullptr;
  const APInt *More = nullptr;
  bool Turns = match(&Index, m_Sub(m_APInt(More), m_Value(Rest)));
  bool Adds = !Turns && match(&Index, m_AddLike(m_Value(Rest), m_APInt(More)));
  bool Widens = match(&Index, m_ZExtOrSExt(m_Value(Rest)));
  if (Depth == MaxDepth || !(Turns || Adds || Widens))
    return {};
  unsigned Bits = Index.getType()->getScalarSizeInBits();
  SmallVector<int64_t, 4> Numbers = countedNumbers(*Rest, Depth + 1);
  for (int64_t &Number : Numbers) {
    APInt N(Rest->getType()->getScalarSizeInBits(), Number, /*isSigned=*/true);
    N = isa<ZExtInst>(Index) ? N.zext(Bits) : N.sext(Bits);
    Number = (Turns ? *More - N : Adds ? N + *More : N).getSExtValue();
  }
  return Numbers;
}

/// Does a step lead to places that a counter, or what is a constant more or less, numbers?
static bool countsPlaces(const GEPOperator &GEP) {
  return any_of(GEP.indices(), [](const Use &U) { return !countedNumbers(*U).empty(); });
}

bool isozyme::choosesPlace(const GEPOperator &GEP) {
  return any_of(GEP.indices(), [](const Use &U) { return !constantChoices(*U).empty(); });
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
  if (!Whole.Stride || !Base.isValid() || isa<VectorType>(GEP.getType()))
    return {Whole};
  SmallVector<PointerTarget, 4> Places = {Base};
  Type *Element = GEP.getSourceElementType();
  std::optional<ArrayAround> Array;
  if (GEP.getNumIndices() == 1 && !Element->isAggregateType() &&
      constantChoices(**GEP.idx_begin()).empty())
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
    SmallVector<int64_t, 4> Indices = constantChoices(*It.getOperand());
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
  if (GEP && (choosesPlace(*GEP) || (Counted && countsPlaces(*GEP))))
    return placesOf(Ptr, T, Counted);
  return {targetOf(Ptr)};
}
