//===- BulkTypes.cpp - What a copy or fill tells of its own bytes ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records and plain arrays may lie in one block whose types overlap by what is known of it:
//
//   pool.get(16 * k) -> { double, ptr }    pool.get(8 * n) -> n doubles
//   memcpy(numbers, from, 8 * n)
//
// Each 16th byte is known better than each 8th, so that layouts tell of records. The copy itself
// tells more: by its tag, and by its length, which is not that of whole records.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Types/BulkNotes.h"
#include "isozyme/Types/TypeAnalysis.h"
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

/// A difference of addresses is a multiple of nothing that tells of elements.
static constexpr uint64_t LeastUnit = 4;

static MemoryLayout uniformLayout(ConcreteType Type, uint64_t Size) {
  MemoryLayout L;
  L.Period = Size;
  L.Runs.push_back({0, Size, Type});
  return L;
}

/// A loop that became one copy left it the tag of its loads and stores.
static std::optional<MemoryLayout> byTag(const AnyMemIntrinsic &M, uint64_t Size,
                                         const DataLayout &DL) {
  const MDNode *Tag = M.getMetadata(LLVMContext::MD_tbaa);
  ConcreteType Type = Tag ? typeNamedBy(Tag, DL) : ConcreteType();
  if (!Type.isFloat())
    return std::nullopt;
  uint64_t Element = floatSize(Type.floatType(), DL);
  if (Size % Element)
    return std::nullopt;
  return uniformLayout(Type, Size ? Size : Element);
}

bool MemoryGraph::hasOtherFloats(PointerTarget Place, uint64_t Unit, const MemoryLayout &L) const {
  Place = normal(Place);
  if (!Place.isValid())
    return false;
  return any_of(node(Place.Node).Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    if (!Stride || Unit % Stride || Rank != FactRank::Access || !Known.second.isFloat())
      return false;
    PointerTarget Floats = placeOfFact(Known.first, Known.second, Place.Node);
    return any_of(L.Runs, [&](const TypedRun &Run) {
      ConcreteType::Kind Kind = Run.Type.kind();
      return (Kind == ConcreteType::Pointer || Kind == ConcreteType::Integer) &&
             Distances(Place.plus(Run.Offset), Floats).meets(1 - int64_t(Size), Run.Size);
    });
  });
}

static std::optional<MemoryLayout> byNote(const AnyMemIntrinsic &M, uint64_t Size) {
  MemoryLayout L;
  for (const NotedRun &Run : notedMoves(M)) {
    if (!Run.Type)
      return std::nullopt;
    L.Runs.push_back({L.Period, Run.Size, *Run.Type});
    L.Period += Run.Size;
  }
  bool Fits = L.Period && Size % L.Period == 0; // Its length may have become known, or another.
  return Fits ? std::optional(std::move(L)) : std::nullopt;
}

bool TypeResult::holdsEitherInTurn(ArrayRef<const Value *> Ends, uint64_t Size) const {
  constexpr uint64_t MostBytes = 256;
  const MemoryGraph &G = memory();
  auto Places = map_to_vector<2>(Ends, [&](const Value *End) { return placeOf(End); });
  return any_of(Places, [&](PointerTarget Place) { return G.mayBeDisguised(Place, Size); }) &&
         any_of(G.wordsOf(Places, std::min(Size, MostBytes)),
                [](WordContent Word) { return Word.isEither(); });
}

bool TypeResult::hidesOthers(ArrayRef<const Value *> Ends, const MemoryLayout &L,
                             bool Counted) const {
  constexpr uint64_t Word = WordContent::Size, MostBytes = 4096;
  if (L.uniform().isFloat())
    return !Counted && holdsEitherInTurn(Ends, L.Period);
  auto Places = map_to_vector<2>(Ends, [&](const Value *End) { return placeOf(End); });
  SmallVector<WordContent, 4> Words = memory().wordsOf(Places, std::min(L.Period, MostBytes));
  return any_of(L.Runs, [&](const TypedRun &Run) {
    uint64_t First = Run.Offset / Word,
             End = std::min<uint64_t>((Run.Offset + Run.Size) / Word, Words.size());
    return Run.Type.kind() == ConcreteType::Pointer && First < End &&
           any_of(
               ArrayRef(Words).slice(First, End - First),
               [](WordContent Content) { return Content.isEither(); });
  });
}

void isozyme::noteBulkTypes(Function &F, const TypeResult &Types) {
  constexpr unsigned MostRuns = 16;
  for (Instruction &I : instructions(F)) {
    auto *Bulk = dyn_cast<AnyMemIntrinsic>(&I);
    if (!Bulk || !notedMoves(*Bulk).empty())
      continue;
    auto *Known = dyn_cast<ConstantInt>(Bulk->getLength());
    uint64_t Size = Known ? Known->getZExtValue() : 0;
    SmallVector<const Value *, 2> Ends = {Bulk->getRawDest()};
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(Bulk))
      Ends.push_back(Copy->getRawSource());
    std::optional<MemoryLayout> L = Types.elementsOf(*Bulk);
    for (const Value *End : Ends)
      if (!L && Types.layoutOf(End, Size).isComplete())
        L = Types.layoutOf(End, Size);
    if (!L || Types.holdsEitherInTurn(Ends, L->Period) || Types.hidesOthers(Ends, *L, Known))
      continue;
    if (L->isComplete() && L->Runs.size() <= MostRuns)
      noteMoves(*Bulk, map_to_vector(L->Runs, [](const TypedRun &Run) {
        return NotedRun{Run.Size, Run.Type};
      }));
  }
}

/// Whole records are moved whose array the source steps into: &pool[k], n * sizeof(record).
static std::optional<MemoryLayout> byRecord(const AnyMemIntrinsic &M, const Value *End,
                                            const TypeResult &Types) {
  auto *Step = dyn_cast<GEPOperator>(End);
  auto *Record = Step && Step->getNumIndices() == 1
                     ? dyn_cast<StructType>(Step->getSourceElementType())
                     : nullptr;
  if (!Record)
    return std::nullopt;
  const DataLayout &DL = M.getDataLayout();
  std::optional<MemoryLayout> L = recordLayout(*Record, DL);
  bool IsWhole = L && distanceMultiple(*M.getLength(), DL) % L->Period == 0;
  if (!IsWhole || Types.layoutOf(End, 0).isComplete() ||
      Types.memory().mayBeDisguised(Types.placeOf(End), L->Period))
    return std::nullopt;
  return L;
}

static bool hasFloats(const MemoryLayout &L) {
  return any_of(L.Runs, [](const TypedRun &Run) { return Run.Type.isFloat(); });
}

/// Elements are moved, to or from what the source calls a pointer to them. If these are records
/// without numbers, that tells nothing: C casts pointers to headers and handles, see
/// TaggedRecords::layoutInPointee.
static std::optional<MemoryLayout> byPointee(const AnyMemIntrinsic &M, const Value *End,
                                             const TypeResult &Types) {
  auto *Load = dyn_cast<LoadInst>(End);
  const MDNode *Tag = Load ? Load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  std::optional<PointeeTag> Scalars = Tag ? pointeeOfTag(Tag, M.getDataLayout()) : std::nullopt;
  std::optional<MemoryLayout> L;
  if (Scalars && Scalars->Depth == 1)
    L = uniformLayout(Scalars->Type, Scalars->Size);
  else if (Tag && !Scalars)
    L = Types.layoutOfPointee(*Tag);
  if (!L || (!Scalars && !hasFloats(*L)))
    return std::nullopt;
  uint64_t Unit = distanceMultiple(*M.getLength(), M.getDataLayout());
  bool CutsElements = (Unit >= LeastUnit || !Scalars) && Unit % L->Period;
  if (CutsElements || Types.layoutOf(End, 0).isComplete() ||
      Types.memory().mayBeDisguised(Types.placeOf(End), L->Period))
    return std::nullopt;
  return L;
}

/// Does \p M copy a part of records of which it is not known that they are records? What lies at
/// one known place is known byte by byte.
static bool cutsRecords(const AnyMemIntrinsic &M, const Value *End, uint64_t Size,
                        const TypeResult &Types) {
  PointerTarget Place = Types.placeOf(End);
  if (!Place.Stride)
    return false;
  MemoryLayout L = Types.layoutOf(End, Size);
  uint64_t Record = Size ? Place.Stride : L.Period;
  uint64_t Unit = Size ? Size : distanceMultiple(*M.getLength(), M.getDataLayout());
  if (!Record || !Unit || Unit < LeastUnit || Unit % Record == 0 || (Size && Size < Record))
    return false;
  return Types.memory().hasOtherFloats(Place, Unit, L);
}

std::optional<MemoryLayout> TypeResult::elementsOf(const AnyMemIntrinsic &M) const {
  auto *Known = dyn_cast<ConstantInt>(M.getLength());
  uint64_t Size = Known ? Known->getZExtValue() : 0;
  if (std::optional<MemoryLayout> L = byTag(M, Size, M.getDataLayout()))
    return L;
  if (std::optional<MemoryLayout> L = byNote(M, Size))
    return L;
  auto *Copy = dyn_cast<AnyMemTransferInst>(&M);
  if (!Size)
    for (const Value *End : {M.getRawDest(), Copy ? Copy->getRawSource() : nullptr})
      for (auto By : {byRecord, byPointee})
        if (auto L = End ? By(M, End, *this) : std::nullopt)
          return L;
  if (cutsRecords(M, M.getRawDest(), Size, *this) ||
      (Copy && cutsRecords(M, Copy->getRawSource(), Size, *this)))
    return uniformLayout(ConcreteType::Unknown, std::max<uint64_t>(Size, 1));
  return std::nullopt;
}
