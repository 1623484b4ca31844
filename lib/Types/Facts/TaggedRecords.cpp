//===- TaggedRecords.cpp - Records by the address that leads to them ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaggedRecords.h"
#include "Graph/GraphBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

/// The value that \p Ptr is a known number of bytes behind.
static std::pair<const Value *, int64_t> baseOf(const Value *Ptr, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  const Value *Base = Ptr->stripAndAccumulateConstantOffsets(DL, Offset, true);
  return {Base, Offset.getSExtValue()};
}

TaggedRecords::TaggedRecords(const Function &F) : DL(F.getDataLayout()) {
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I))
      addAccess(I);
}

void TaggedRecords::addAccess(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  int64_t At = 0;
  const MDNode *Record = Tag ? recordOfTag(Tag, At) : nullptr;
  if (!Record)
    return;
  recordsOfTag(Tag, [&](StringRef Name, const MDNode &Named) {
    auto [It, New] = Records.try_emplace(Name, &Named);
    if (!New && It->second != &Named)
      It->second = nullptr;
  });
  auto [Base, Offset] = baseOf(getLoadStorePointerOperand(&I), DL);
  Members &Known = Bases[Base];
  readRecord(*Record, DL,
             [&, Start = Offset - At](int64_t Member, uint64_t Size, ConcreteType Type) {
               add(Known, Start + Member, Size, Type);
             });
}

void TaggedRecords::add(Members &To, int64_t At, uint64_t Size, ConcreteType Type) {
  auto [It, New] = To.try_emplace(At, Member{Size, Type});
  if (New)
    return;
  bool Same = It->second.Size == Size && It->second.Type == Type;
  It->second = {std::max(It->second.Size, Size), Same ? Type : ConcreteType()};
}

std::optional<MemoryLayout> TaggedRecords::layoutAt(const Value *Ptr, uint64_t Size) const {
  auto [Base, Begin] = baseOf(Ptr, DL);
  auto It = Bases.find(Base);
  std::optional<MemoryLayout> L;
  if (It != Bases.end())
    L = layoutOf(It->second, Begin, Size);
  return L ? L : layoutInPointee(Base, Begin, Size);
}

/// Does \p Struct, over which an index steps, have from byte \p Begin on what \p L has? The pointer
/// may lead to what stands in front of elements that are something else.
static bool stepsOver(Type &Struct, const MemoryLayout &L, uint64_t Begin, const DataLayout &DL) {
  auto *Record = dyn_cast<StructType>(&Struct);
  std::optional<MemoryLayout> Whole = Record ? recordLayout(*Record, DL) : std::nullopt;
  return Whole && all_of(L.Runs, [&](const TypedRun &Told) {
           uint64_t From = Begin + Told.Offset, To = From + Told.Size;
           return To <= Whole->Period && all_of(Whole->Runs, [&](const TypedRun &Run) {
                    bool Overlap = Run.Offset < To && From < Run.Offset + Run.Size;
                    return !Overlap || Run.Type.join(Told.Type).isKnown();
                  });
         });
}

/// Of the element that \p Base steps to, or of the first, by what the source calls that to which
/// the pointer leads. What fills the record up is not told: a class that extends it may keep a
/// member there. Nor is a range without numbers: C casts pointers to what is only a handle, or a
/// header, and what it moves from there by memcpy may be anything.
std::optional<MemoryLayout> TaggedRecords::layoutInPointee(const Value *Base, int64_t Begin,
                                                           uint64_t Size) const {
  Type *Stepped = nullptr;
  if (auto *Element = dyn_cast<GEPOperator>(Base); Element && Element->getNumIndices() == 1) {
    Stepped = Element->getSourceElementType();
    Base = Element->getPointerOperand();
  }
  auto *Load = dyn_cast<LoadInst>(Base);
  const MDNode *Tag = Load ? Load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  std::optional<Record> Known = Tag ? recordOfPointee(*Tag) : std::nullopt;
  if (!Known || Begin < 0 || uint64_t(Begin) + Size > Known->End)
    return std::nullopt;
  std::optional<MemoryLayout> L = layoutOf(Known->Of, Begin, Size);
  bool AnyFloat = L && any_of(L->Runs, [](const TypedRun &Run) { return Run.Type.isFloat(); });
  return AnyFloat && (!Stepped || stepsOver(*Stepped, *L, Begin, DL)) ? L : std::nullopt;
}

/// C++ calls the record in alias metadata what it calls it in pointers to it, "_ZTS6cpBody"; C does
/// not.
static StringRef nameInC(StringRef Name) {
  unsigned Length = 0;
  bool IsSimple =
      Name.consume_front("_ZTS") && !Name.consumeInteger(10, Length) && Name.size() == Length;
  return IsSimple ? Name : StringRef();
}

std::optional<TaggedRecords::Record> TaggedRecords::recordOfPointee(const MDNode &Tag) const {
  StringRef Name = pointeeRecordOfTag(&Tag);
  const MDNode *Named = Records.lookup(Name);
  if (!Named)
    Named = Records.lookup(nameInC(Name));
  if (!Named)
    return std::nullopt;
  Record Known;
  readRecord(*Named, DL, [&](int64_t At, uint64_t Size, ConcreteType Type) {
    add(Known.Of, At, Size, Type);
    Known.Alignment = std::max(Known.Alignment, Size);
    Known.End = std::max(Known.End, At + Size);
  });
  return Known.End ? std::optional(std::move(Known)) : std::nullopt;
}

std::optional<MemoryLayout> TaggedRecords::layoutOfPointee(const MDNode *Tag) const {
  std::optional<Record> Known = recordOfPointee(*Tag);
  if (!Known)
    return std::nullopt;
  uint64_t Size = alignTo(Known->End, Known->Alignment);
  if (Size > Known->End) // What fills the last one up.
    add(Known->Of, Known->End, Size - Known->End, ConcreteType::Anything);
  return layoutOf(Known->Of, 0, Size);
}

std::optional<MemoryLayout> TaggedRecords::layoutOf(const Members &Known, int64_t Begin,
                                                    uint64_t Size) {
  MemoryLayout L;
  L.Period = Size;
  int64_t Next = Begin, End = Begin + int64_t(Size);
  auto Fill = [&](int64_t To, ConcreteType Type) {
    if (!L.Runs.empty() && L.Runs.back().Type == Type)
      L.Runs.back().Size += To - Next;
    else
      L.Runs.push_back({uint64_t(Next - Begin), uint64_t(To - Next), Type});
    Next = To;
  };
  // The end of the member before, and its size: of an array, alias metadata names one element.
  std::optional<std::pair<int64_t, int64_t>> Before;
  for (auto [At, What] : Known) {
    if (At >= End)
      break;
    int64_t MemberEnd = At + int64_t(What.Size);
    if (MemberEnd > Begin) {
      bool IsPadding = Before && At - Before->first < Before->second;
      if (At > Next && IsPadding)
        Fill(At, ConcreteType::Anything);
      if (At != Next || MemberEnd > End || !What.Type.isKnown())
        return std::nullopt;
      Fill(MemberEnd, What.Type);
    }
    Before = {MemberEnd, int64_t(What.Size)};
  }
  return Next == End ? std::optional(L) : std::nullopt;
}
