//===- TapeLayout.cpp - Where kept values lie -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a value to keep and the loop it is defined in.  Out: region and slot.
// Never: emits IR; the emitters only follow the regions.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Tape/TapeLayout.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// An array of at most this many bytes lies on the stack, as hand-written code would do.
constexpr uint64_t MaxStackBytes = 4096;

/// Loops from the outermost whose trip counts are all known before it, to \p L.
static SmallVector<const Loop *, 2> countedNest(const PreparedFunction &P, const Loop *L) {
  SmallVector<const Loop *, 2> Nest = {L};
  while (const Loop *Parent = Nest.front()->getParentLoop()) {
    if (!P.canonical(Parent).LastIV)
      break;
    bool KnownBefore = all_of(Nest, [&](const Loop *In) {
      Value *Extent = P.canonical(In).Extent;
      auto *I = dyn_cast_or_null<Instruction>(Extent);
      return Extent && (!I || !Parent->contains(I));
    });
    if (!KnownBefore)
      break;
    Nest.insert(Nest.begin(), Parent);
  }
  return Nest;
}

/// The loops around \p Scope whose iterations have values of their own, if their trip counts are
/// known before all loops; else nothing.
static SmallVector<const Loop *, 2> countedBeforeAll(const PreparedFunction &P, const Loop *Scope,
                                                     const SmallPtrSetImpl<const Loop *> &Varying) {
  const Loop *All = Scope->getOutermostLoop();
  SmallVector<const Loop *, 2> Inner;
  for (const Loop *L = Scope; L; L = L->getParentLoop()) {
    if (!Varying.contains(L))
      continue;
    auto *Extent = dyn_cast_or_null<Instruction>(P.canonical(L).Extent);
    if (!P.canonical(L).LastIV || !P.canonical(L).Extent || (Extent && All->contains(Extent)))
      return {};
    Inner.insert(Inner.begin(), L);
  }
  return Inner;
}

/// Leaves loops out of \p Nest in all iterations of which \p Key has the same values. Returns the
/// loop in front of which the array lies, if that is none of those that are left.
static const Loop *leaveOutRepeats(const PreparedFunction &P, const Need &Key,
                                   SmallVector<const Loop *, 2> &Nest, ChangeQuery Changes) {
  auto *I = dyn_cast_or_null<Instruction>(Key.V);
  const Loop *All = Nest.back()->getOutermostLoop();
  if (!I || Key.P != Part::Primal || All == Nest.back())
    return nullptr;
  SmallPtrSet<const Loop *, 4> Varying = varyingLoops(P, *I, Changes);
  if (!Varying.contains(All))
    if (SmallVector<const Loop *, 2> Inner = countedBeforeAll(P, Nest.back(), Varying);
        !Inner.empty()) {
      Nest = Inner;
      return All;
    }
  const Loop *First = Nest.front();
  erase_if(Nest, [&](const Loop *L) { return !Varying.contains(L); });
  return Nest.front() == First ? nullptr : First;
}

unsigned TapeRegion::haloOf(const Loop *L) const {
  const auto *At = find(Group, L);
  return Halo.empty() || At == Group.end() ? 0 : Halo[At - Group.begin()];
}

/// On a GPU, where other memory is dear: how often the loop \p L runs at most, whose count is no
/// constant, as one that looks for a root in fifty steps. 0: that is not known.
static unsigned boundOf(const PreparedFunction &P, const Loop *L) {
  return acceleratorOf(*P.original().getParent())
             ? P.scalarEvolution().getSmallConstantMaxTripCount(L)
             : 0;
}

static std::optional<uint64_t> knownCount(const PreparedFunction &P, const TapeRegion &R) {
  uint64_t Count = 1;
  for (const Loop *L : R.Group) {
    auto *Last = dyn_cast<ConstantInt>(P.canonical(L).LastIV);
    if (Last && Last->getValue().ugt(MaxStackBytes))
      return std::nullopt;
    const uint64_t Trips = Last ? Last->getZExtValue() + 1 : boundOf(P, L);
    if (!Trips)
      return std::nullopt;
    Count *= Trips + R.haloOf(L);
    if (Count > MaxStackBytes)
      return std::nullopt;
  }
  return Count;
}

/// Arrays of the same size that are made and given back at the same places, again and again, take
/// one block and one call each time. (What is made once stays apart: LLVM then sees that the arrays
/// do not overlap.) Of floats of one type only: a derivative of the derivative has to know what
/// lies where. What malloc gives stays apart, too, so that checkers of memory see each end.
void TapeLayout::shareBlock(unsigned Region, Type *Elem) {
  TapeRegion &R = Regions[Region];
  if (R.Shape != TapeShape::Array || R.Memory != TapeMemory::Thread || !Elem->isFloatingPointTy())
    return;
  SmallVector<unsigned, 1> &Firsts = Blocks[{R.Group.back(), Elem}];
  for (unsigned First : Firsts)
    if (TapeRegion &Other = Regions[First];
        Other.Group == R.Group && Other.Halo == R.Halo && Other.Repeats == R.Repeats) {
      R.SharedWith = First;
      Other.Sharing.push_back(Region);
      return;
    }
  Firsts.push_back(Region);
}

SmallVector<const Loop *, 2> TapeRegion::repeating() const {
  if (Group.empty())
    return {};
  SmallVector<const Loop *, 2> Found;
  for (const Loop *L = Group.back(); L != outermost()->getParentLoop(); L = L->getParentLoop())
    if (!is_contained(Group, L))
      Found.insert(Found.begin(), L);
  return Found;
}

SmallVector<unsigned, 4> TapeLayout::blockOf(unsigned Region) const {
  if (Regions[Region].SharedWith >= 0)
    return {};
  SmallVector<unsigned, 4> Members = {Region};
  append_range(Members, Regions[Region].Sharing);
  return Members;
}

unsigned TapeLayout::placeInBlock(unsigned Region) const {
  int First = Regions[Region].SharedWith;
  return First < 0 ? 0
                   : 1 + (find(Regions[First].Sharing, Region) - Regions[First].Sharing.begin());
}

/// Can its place in the block be computed by those who need it? The reverse sweep has the trip
/// count of the innermost loop, with which it begins.
static bool isPlaceKnown(const TapeRegion &R) {
  return R.SharedWith >= 0 && (R.KnownCount || (R.Group.size() == 1 && !R.Repeats));
}

unsigned TapeLayout::regionFor(const PreparedFunction &P, const Need &Key, Type *Elem,
                               const Loop *Scope, bool MayUseStack, ChangeQuery Changes,
                               const LoopHalo *Halo) {
  const Loop *Outermost = Scope ? Scope->getOutermostLoop() : nullptr;
  bool OneIteration = is_contained(Fused, Outermost);
  if (!Scope || (OneIteration && Scope == Outermost))
    return 0;
  const DataLayout &DL = P.function().getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(Elem);
  bool HasCount = P.canonical(Scope).LastIV;
  uint64_t Bound = MayUseStack && !HasCount && !Scope->getParentLoop() ? boundOf(P, Scope) : 0;
  bool IsBounded = Bound && Bound * Bytes <= MaxStackBytes, Counted = HasCount || IsBounded;
  if (!Counted) {
    auto It = GrowableOf.find(Scope);
    if (It != GrowableOf.end())
      return It->second;
  }
  TapeRegion R;
  R.Shape = Counted ? TapeShape::Array : TapeShape::Growable;
  R.Memory = Memory;
  if (IsBounded) {
    R.Group = {Scope};
    R.KnownCount = Bound;
  } else if (Counted) {
    R.Group = countedNest(P, Scope);
    if (Halo)
      for (const Loop *L : R.Group)
        R.Halo.push_back(Halo->lookup(L));
    else
      R.Repeats = leaveOutRepeats(P, Key, R.Group, Changes);
    if (OneIteration) {
      erase(R.Group, Outermost);
      R.Repeats = Outermost;
      R.OneIteration = true;
    }
    R.KnownCount = knownCount(P, R);
  } else {
    R.Group = {Scope};
  }
  const Loop *Around = R.outermost()->getParentLoop();
  if (!Counted && MayUseStack && !Around)
    R.Memory = TapeMemory::Stack; // The table of chunks.
  if (R.KnownCount && MayUseStack && !Around && *R.KnownCount * Bytes <= MaxStackBytes)
    R.Memory = TapeMemory::Stack;
  unsigned Index = Regions.size();
  Regions.push_back(R);
  if (Around || !MayUseStack)
    shareBlock(Index, Elem);
  if (!Counted)
    GrowableOf[Scope] = Index;
  if (isPlaceKnown(Regions[Index]))
    return Index;
  // Helpers take a table of chunks, wherever it lies.
  bool IsLocal = R.Memory == TapeMemory::Stack && Counted;
  Type *Ptr = PointerType::get(P.function().getContext(), IsLocal ? DL.getAllocaAddrSpace() : 0);
  int Base = add(P, {nullptr, Part::Tape}, Ptr, Around, MayUseStack, Changes, nullptr);
  Slots[Base].BaseOf = Index;
  Regions[Index].BaseSlot = Base;
  return Index;
}

unsigned TapeLayout::add(const PreparedFunction &P, Need Key, Type *Elem, const Loop *Scope,
                         bool MayUseStack, ChangeQuery Changes) {
  return add(P, Key, Elem, Scope, MayUseStack, Changes, nullptr);
}

std::optional<unsigned> TapeLayout::addShared(const PreparedFunction &P, Need Key, Type *Elem,
                                              const Loop *Scope, bool MayUseStack,
                                              const LoopHalo &Halo) {
  if (!P.canonical(Scope).LastIV || is_contained(Fused, Scope->getOutermostLoop()))
    return std::nullopt;
  SmallVector<const Loop *, 2> Nest = countedNest(P, Scope);
  if (any_of(Halo, [&](const auto &Each) { return !is_contained(Nest, Each.first); }))
    return std::nullopt;
  auto Always = [](const LoadInst &, const Loop &) { return true; };
  return add(P, Key, Elem, Scope, MayUseStack, Always, &Halo);
}

unsigned TapeLayout::add(const PreparedFunction &P, Need Key, Type *Elem, const Loop *Scope,
                         bool MayUseStack, ChangeQuery Changes, const LoopHalo *Halo) {
  TapeSlot S;
  S.Key = Key;
  S.Elem = Elem;
  S.Region = regionFor(P, Key, Elem, Scope, MayUseStack, Changes, Halo);
  S.Field = Regions[S.Region].Slots.size();
  unsigned Index = Slots.size();
  Slots.push_back(S);
  Regions[S.Region].Slots.push_back(Index);
  return Index;
}

StructType *TapeLayout::recordType(const TapeRegion &R, LLVMContext &C) const {
  SmallVector<Type *, 8> Fields;
  for (unsigned S : R.Slots)
    Fields.push_back(Slots[S].Elem);
  return StructType::get(C, Fields);
}

StructType *TapeLayout::tapeType(LLVMContext &C) const {
  return Regions[0].Slots.empty() ? nullptr : recordType(Regions[0], C);
}

static Type *withoutVectors(Type *T) {
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return ArrayType::get(Vector->getElementType(), Vector->getNumElements());
  if (auto *Array = dyn_cast<ArrayType>(T))
    return ArrayType::get(withoutVectors(Array->getElementType()), Array->getNumElements());
  auto *Record = dyn_cast<StructType>(T);
  if (!Record)
    return T;
  SmallVector<Type *, 8> Members;
  for (Type *Member : Record->elements())
    Members.push_back(withoutVectors(Member));
  return Members == Record->elements()
             ? Record
             : StructType::get(T->getContext(), Members, Record->isPacked());
}

StructType *TapeLayout::passedType(LLVMContext &C) const {
  StructType *Record = tapeType(C);
  return Record ? cast<StructType>(withoutVectors(Record)) : nullptr;
}

/// Members of \p T that a register or two holds.
static uint64_t membersOf(const Type *T) {
  if (const auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() * membersOf(Array->getElementType());
  if (const auto *Vector = dyn_cast<FixedVectorType>(T))
    return Vector->getNumElements();
  uint64_t Count = 0;
  if (const auto *Record = dyn_cast<StructType>(T))
    for (const Type *Member : Record->elements())
      Count += membersOf(Member);
  return isa<StructType>(T) ? Count : 1;
}

void TapeLayout::boxIfWide() {
  constexpr uint64_t MostByValue = 32;
  uint64_t Members = 0;
  for (unsigned S : Regions[0].Slots)
    Members += membersOf(Slots[S].Elem);
  Boxed = Members > MostByValue;
}

std::string tripText(const PreparedFunction &P, const Loop *L, unsigned Halo) {
  Value *Last = P.canonical(L).LastIV;
  if (!Last)
    return "iterations of " + operandName(L->getHeader());
  if (auto *C = dyn_cast<ConstantInt>(Last))
    return std::to_string(C->getZExtValue() + 1 + Halo);
  return "(" + operandName(Last) + "+" + std::to_string(1 + Halo) + ")";
}

SmallVector<const Loop *, 4> TapeLayout::loopsOf(const TapeSlot &S) const {
  SmallVector<const Loop *, 4> Chain;
  for (const TapeRegion *R = &Regions[S.Region]; R->Shape != TapeShape::Scalar;) {
    Chain.insert(Chain.begin(), R->Group.begin(), R->Group.end());
    int Base = R->BaseSlot < 0 ? Regions[R->SharedWith].BaseSlot : R->BaseSlot;
    R = &Regions[Slots[Base].Region];
  }
  return Chain;
}

unsigned TapeLayout::haloOf(const TapeSlot &S, const Loop *L) const {
  return Regions[S.Region].haloOf(L);
}

std::string TapeLayout::sizeOf(const PreparedFunction &P, const TapeSlot &S) const {
  uint64_t Bytes = P.function().getDataLayout().getTypeAllocSize(S.Elem);
  std::string Text = std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes");
  for (const Loop *L : loopsOf(S))
    Text += " * " + tripText(P, L, haloOf(S, L));
  return Text;
}

void TapeLayout::print(const PreparedFunction &P, raw_ostream &OS) const {
  for (unsigned I = 0; I < Slots.size(); ++I) {
    const TapeSlot &S = Slots[I];
    const TapeRegion &R = Regions[S.Region];
    OS << "    #" << I << "  " << *S.Elem << ' ';
    OS << (R.Shape == TapeShape::Scalar  ? "scalar"
           : R.Shape == TapeShape::Array ? "array"
                                         : "growable");
    if (R.Memory == TapeMemory::Stack)
      OS << " on stack";
    else if (R.Memory == TapeMemory::Heap && R.Shape != TapeShape::Scalar)
      OS << " on heap";
    for (const Loop *L : R.Group)
      OS << ' ' << operandName(L->getHeader());
    OS << "  " << sizeOf(P, S) << "  ";
    if (R.SharedWith >= 0)
      OS << "in the block of #" << Regions[R.SharedWith].Slots.front() << "  ";
    if (S.BaseOf >= 0)
      OS << "base of #" << Regions[S.BaseOf].Slots.front();
    else
      printNeed(OS, S.Key);
    if (R.OneIteration)
      OS << "  (for one iteration of " << operandName(R.Repeats->getHeader()) << ')';
    else
      for (const Loop *L : R.repeating())
        OS << "  (the same in each iteration of " << operandName(L->getHeader()) << ')';
    OS << '\n';
  }
}

} // namespace isozyme
