//===- AccessFacts.cpp - What accesses say about bytes --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, atomic operations and masked intrinsics say what is at a place, as
// far as they say it by their type or by their TBAA tag. What is moved as an integer
// is noted, for TypeDeduction.cpp to find out what it is.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/Op.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Values/AtomicBits.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "isozyme/Values/FortranDescriptors.h"
#include "isozyme/Values/LengthBound.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <set>

using namespace llvm;
using namespace isozyme;

uint64_t isozyme::floatSize(const Type *Scalar, const DataLayout &DL) {
  return DL.getTypeAllocSize(const_cast<Type *>(Scalar));
}

std::optional<CopyLink> GraphBuilder::copyLinkOf(const CallBase &Call) {
  const Value *Length = nullptr;
  if (auto *M = dyn_cast<MemTransferInst>(&Call))
    Length = M->getLength();
  else if (!isa<IntrinsicInst>(Call) && viewOf(Call, TLI).Class == OpClass::Memory &&
           Call.arg_size() == 3 && Call.getArgOperand(1)->getType()->isPointerTy())
    Length = Call.getArgOperand(2); // memcpy or memmove by its C name
  else if (std::optional<GpuTransfer> Transfer = gpuTransfer(Call); Transfer && Transfer->From)
    Length = Transfer->Bytes;
  if (!Length)
    return std::nullopt;
  // More than that is as good as any number.
  constexpr uint64_t LargestRecord = 4096;
  auto *C = dyn_cast<ConstantInt>(Length);
  uint64_t Most = C ? C->getZExtValue() : mostBytes(*Length);
  CopyLink Link{targetOf(Call.getArgOperand(1)), targetOf(Call.getArgOperand(0))};
  Link.Size = C || Most <= LargestRecord ? Most : 0;
  Link.UpTo = !C;
  return Link;
}

/// An element whose number is not known is no part of two elements: its address is as
/// aligned as the access says.
static PointerTarget aligned(PointerTarget Place, uint64_t Size, const Instruction &I) {
  if (!Place.Stride || Place.Stride % Size == 0 || Size % Place.Stride ||
      !isa<LoadInst, StoreInst>(I) || getLoadStoreAlignment(&I).value() < Size)
    return Place;
  return {Place.Node, 0, Size, Place.Object};
}

/// What the source calls that which \p I accesses, see typeNamedBy.
ConcreteType GraphBuilder::typeInSource(const Instruction &I) const {
  if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa))
    return typeNamedBy(Tag, DL);
  if (std::optional<DeclaredMember> Member = declaredMember(I)) {
    if (Member->IsInteger)
      return ConcreteType::Integer;
    Type *T = getLoadStoreType(&I);
    if (T->isFloatingPointTy() && Member->scalar(DL) == T)
      return ConcreteType::ofFloat(T);
  }
  return HasTags ? ConcreteType::Anything : ConcreteType::Unknown;
}

/// Does \p I access what the source names a member of a record?
static bool namesMember(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  bool IsOfRecord = Tag && Tag->getNumOperands() >= 3 && Tag->getOperand(0) != Tag->getOperand(1);
  return IsOfRecord || declaredMember(I);
}

/// May \p Size bytes at \p Place, which \p I accesses, be a float that is something else to the
/// source?
bool GraphBuilder::mayDisguise(const Instruction &I, PointerTarget Place, uint64_t Size) const {
  if (!isa<LoadInst, StoreInst>(I))
    return false;
  ConcreteType Named = typeInSource(I);
  auto *GEP = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&I));
  Type *Element = GEP ? GEP->getResultElementType() : nullptr;
  bool IsElement =
      GEP && Size > 1 &&
      (Element->isIntegerTy(Size * 8) || (Element->isPointerTy() && Size == DL.getPointerSize()));
  if (!Named.isKnown())
    return IsElement && FromSource && !I.hasMetadata(LLVMContext::MD_tbaa);
  if (Named.kind() != ConcreteType::Anything)
    return Named.kind() == ConcreteType::Integer;
  // Lanes of vectors have no other tag, either; which may be anywhere.
  bool Sweeps = Place.Stride && Place.Stride <= Size;
  return (IsElement || !Sweeps) && !getLoadStoreType(&I)->isVectorTy();
}

/// Do others say, which access the same record, that \p I accesses a float of type \p T there?
bool GraphBuilder::isFloatOfRecord(const Instruction &I, Type *T) {
  const Value *Ptr = getLoadStorePointerOperand(&I);
  if (!FromSource || !Ptr)
    return false;
  auto [It, New] = Records.try_emplace(I.getFunction());
  if (New)
    It->second = std::make_unique<TaggedRecords>(*I.getFunction());
  std::optional<MemoryLayout> L = It->second->layoutAt(Ptr, floatSize(T, DL));
  return L && L->uniform() == ConcreteType::ofFloat(T);
}

/// \p I is a load of what is at \p Place, or a store of what has been loaded.
void GraphBuilder::noteUntoldMove(const Instruction &I, PointerTarget Place) {
  auto *Store = dyn_cast<StoreInst>(&I);
  auto *Load = dyn_cast<LoadInst>(Store ? Store->getValueOperand() : &I);
  if (!Load || (!movesUntoldDouble(*Load, DL) && storesOfChosenDouble(*Load, DL).empty()))
    return;
  UntoldMoves.push_back(Place);
  G.Nodes[G.find(Place.Node)].MovesWords = true;
}

void GraphBuilder::accessFacts(const Instruction &I, const Value *V, Type *T, PointerTarget Place,
                               bool Load, bool Store) {
  if (!Place.isValid())
    return;
  if (auto *ST = dyn_cast<StructType>(T)) {
    for (unsigned K = 0; K != ST->getNumElements(); ++K)
      accessFacts(I, nullptr, ST->getElementType(K),
                  Place.plus(DL.getStructLayout(ST)->getElementOffset(K)), Load, Store);
    return;
  }
  if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
    Type *E = T->getContainedType(0);
    uint64_t Count =
        isa<ArrayType>(T) ? T->getArrayNumElements() : cast<FixedVectorType>(T)->getNumElements();
    if (!E->isIntegerTy() || V == nullptr || DL.getTypeSizeInBits(E) % 8 == 0) {
      for (uint64_t K = 0; K != std::min<uint64_t>(Count, DeclaredBudget); ++K)
        accessFacts(I, V && E->isIntegerTy() ? V : nullptr, E,
                    Place.plus(K * DL.getTypeAllocSize(E)), Load, Store);
    }
    return;
  }
  MemoryNode &N = G.Nodes[G.find(Place.Node)];
  if (T->isFloatingPointTy()) {
    G.addFact(aligned(Place, floatSize(T, DL), I), floatSize(T, DL), ConcreteType::ofFloat(T),
              FactRank::Access);
    if (typeInSource(I).isFloat() && !Place.Stride)
      NamedFloats.push_back({Place, ConcreteType::ofFloat(T)});
    else if (mayDisguise(I, Place, floatSize(T, DL)) && !isFloatOfRecord(I, T))
      UntoldFloats.push_back({Place, ConcreteType::ofFloat(T)});
    noteUntoldMove(I, Place);
    N.ReadsData |= Load;
    N.WritesData |= Store;
  } else if (T->isPointerTy() && V && MovedPointers.contains(V)) {
    uint64_t Size = DL.getTypeStoreSize(T);
    IntegerAccesses.push_back(
        {V, Place, Size, Load, Store, typeInSource(I), mayDisguise(I, Place, Size)});
    IntegerAccesses.back().SaysPointer = saysPointer(I);
    IntegerAccesses.back().SaysPointee = saysPointee(I);
    if (IntegerAccesses.back().SaysPointer)
      G.addFact(Place, Size, ConcreteType::Pointer, FactRank::Access);
  } else if (T->isPointerTy()) {
    bool IsNull = isa_and_nonnull<ConstantPointerNull>(V); // The number 0 looks the same.
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Pointer,
              IsNull ? FactRank::Treated : FactRank::Access);
    if (!IsNull && mayDisguise(I, Place, DL.getPointerSize()))
      UntoldAddresses.push_back(Place);
    N.ReadsPointer |= Load;
    N.WritesPointer |= Store;
  } else if (T->isIntegerTy()) {
    uint64_t Size = DL.getTypeStoreSize(T);
    IntegerAccesses.push_back(
        {V, Place, Size, Load, Store, typeInSource(I), mayDisguise(I, Place, Size)});
    IntegerAccesses.back().IsMember = namesMember(I);
    if (const Value *Ptr = getLoadStorePointerOperand(&I))
      IntegerAccesses.back().Step = targetOf(Ptr).Stride;
    if (DL.getTypeSizeInBits(T) % 8) // i1, i33: no float or pointer has such a size.
      G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Integer, FactRank::Access);
  }
}

/// Floats are in disguise where an access does not say what they are to the source, unless another
/// access of the same place calls them floats: the optimiser has joined loads that do and loads
/// that do not.
void GraphBuilder::settleUntoldFloats() {
  auto KeyOf = [&](const FloatPlace &F) {
    PointerTarget At = G.normal(F.first);
    return std::tuple(At.Node, At.Offset, At.Stride, At.Object, F.second.floatType());
  };
  std::set<decltype(KeyOf({}))> Named;
  for (const FloatPlace &F : NamedFloats)
    Named.insert(KeyOf(F));
  for (const FloatPlace &F : UntoldFloats)
    if (!Named.contains(KeyOf(F)))
      G.addFact(F.first, floatSize(F.second.floatType(), DL), F.second, FactRank::Disguise);
}

void GraphBuilder::memberFacts(const Instruction &I, PointerTarget Place) {
  std::optional<DeclaredMember> Member = declaredMember(I);
  if (!Member || !Place.isValid())
    return;
  unsigned Budget = DeclaredBudget;
  declaredFacts(Member->Record, Place.plus(-Member->Offset), true, Budget);
  if (Member->IsInteger)
    G.addFact(Place, DL.getTypeStoreSize(getLoadStoreType(&I)), ConcreteType::Integer,
              FactRank::Member);
}

void GraphBuilder::tagFacts(const Instruction &I, PointerTarget Place) {
  memberFacts(I, Place);
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || !Place.isValid())
    return;
  Type *T = isa<StoreInst>(I) ? cast<StoreInst>(I).getValueOperand()->getType() : I.getType();
  readAccessTag(Tag, DL.getTypeStoreSize(T), DL,
                [&](int64_t At, uint64_t Size, ConcreteType Type, FactRank Rank) {
                  bool Whole = At == 0 && Type.isFloat() && Rank == FactRank::Access;
                  G.addFact(Whole ? aligned(Place, Size, I) : Place.plus(At), Size, Type, Rank);
                });
  if (isDescriptorInteger(I))
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Integer, FactRank::Member);
  std::optional<PointeeTag> Pointee = pointeeOfTag(Tag, DL);
  // A `Node **` often leads to one pointer within a record: what comes behind it need not be
  // pointers.
  if (!Pointee || !T->isPointerTy() || Pointee->Type.kind() == ConcreteType::Pointer)
    return;
  PointerTarget Elements = targetOf(isa<StoreInst>(I) ? cast<StoreInst>(I).getValueOperand() : &I);
  for (unsigned Depth = 1; Depth < Pointee->Depth; ++Depth)
    Elements = G.contentOf(Elements);
  Elements = Elements.plus(0, Pointee->Size);
  if (Elements.Stride == Pointee->Size) // Else it is not known where one starts.
    G.addFact(Elements, Pointee->Size, Pointee->Type, FactRank::Declared);
}

/// A loop that became one copy or fill left it the tag of its loads and stores: all
/// its bytes are elements of that type. \p Size 0: an unknown number of them.
void GraphBuilder::bulkTagFacts(const CallBase &Call, PointerTarget Place, uint64_t Size) {
  const MDNode *Tag = Call.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || !Place.isValid())
    return;
  bool OneByOne = Size && Size <= DeclaredBudget;
  readAccessTag(Tag, OneByOne ? Size : 16, DL,
                [&](int64_t At, uint64_t Element, ConcreteType Type, FactRank Rank) {
                  if (Rank != FactRank::Access || !Type.isFloat())
                    return;
                  if (OneByOne)
                    G.addFact(Place.plus(At), Element, Type, Rank);
                  else if (At == 0)
                    G.addFact(Place.plus(0, Element), Element, Type, Rank);
                });
}

SmallVector<PointerTarget, 4> GraphBuilder::placesOf(const Value *Ptr, Type *T, bool Counted) {
  SmallVector<PointerTarget, 4> Places;
  for (const Value *Address : chosenAddresses(*Ptr)) {
    auto *GEP = dyn_cast<GEPOperator>(Address);
    PointerTarget Whole = targetOf(Address);
    if (GEP && Whole.isValid())
      append_range(Places, placesOfElement(*GEP, targetOf(GEP->getPointerOperand()), Whole,
                                           DL.getTypeStoreSize(T), DL, Counted));
    else if (Whole.isValid() || Address == Ptr)
      Places.push_back(Whole);
  }
  return Places.empty() ? SmallVector<PointerTarget, 4>{targetOf(Ptr)} : Places;
}

/// Is all that the function does with \p Local to copy it as a whole, from and to elsewhere?
static bool isOnlyCopied(const AllocaInst &Local) {
  return all_of(Local.users(),
                [](const User *U) { return isa<MemTransferInst>(U) || isa<LifetimeIntrinsic>(U); });
}

void GraphBuilder::factsOf(const Instruction &I) {
  scalarEvidence(I);
  unsigned Budget = DeclaredBudget;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    factsOfCall(*Call);
  } else if (auto *L = dyn_cast<LoadInst>(&I)) {
    for (PointerTarget Place :
         placesOf(L->getPointerOperand(), L->getType(), isNamedInteger(I, DL))) {
      accessFacts(I, L, L->getType(), Place, true, false);
      tagFacts(I, Place);
    }
  } else if (auto Part = partOfLoad(I, DL)) {
    if (I.getType()->isIntegerTy()) // The rest is known from the load.
      accessFacts(I, &I, I.getType(), targetOf(Part->Ptr).plus(Part->Offset), true, false);
  } else if (auto *St = dyn_cast<StoreInst>(&I)) {
    for (const PartOfRecord &Part : partsOfStore(*St, DL))
      if (Part.Value->getType()->isIntegerTy() && !isa<Constant>(Part.Value))
        accessFacts(I, Part.Value, Part.Value->getType(), targetOf(Part.Ptr).plus(Part.Offset),
                    false, true);
    for (PointerTarget Place : placesOf(St->getPointerOperand(), St->getValueOperand()->getType(),
                                        isNamedInteger(I, DL))) {
      if (!isa<UndefValue>(St->getValueOperand()))
        accessFacts(I, St->getValueOperand(), St->getValueOperand()->getType(), Place, false, true);
      tagFacts(I, Place);
    }
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    PointerTarget Place = targetOf(RMW->getPointerOperand());
    accessFacts(I, RMW, RMW->getType(), Place, true, true);
    if (RMW->getType()->isIntegerTy() && !mayMoveFloatBits(*RMW))
      S.Scalars.addEvidence(RMW, ConcreteType::Integer);
    else if (RMW->getType()->isIntegerTy())
      S.Scalars.addCopy(RMW, RMW->getValOperand());
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    accessFacts(I, X->getNewValOperand(), X->getNewValOperand()->getType(),
                targetOf(X->getPointerOperand()), true, true);
  } else if (auto *A = dyn_cast<AllocaInst>(&I); A && !MovedPointers.contains(A)) {
    Type *Allocated = A->getAllocatedType();
    uint64_t Step = A->isArrayAllocation() ? DL.getTypeAllocSize(Allocated).getFixedValue() : 0;
    // What is left of a union may have the type of a single pointer, or of its first member.
    bool OfUnion = Allocated->isPointerTy() || (!isFloatLike(Allocated) && isOnlyCopied(*A));
    declaredFacts(Allocated, targetOf(A).plus(0, Step), false, Budget, OfUnion);
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    // A record type that the source names: all of it lies at this place.
    Type *T = GEP->getSourceElementType();
    PointerTarget Base = targetOf(GEP->getPointerOperand());
    if (isa<StructType>(T) && cast<StructType>(T)->hasName() && T->isSized()) {
      // One behind it, too, if it is a step; and before it, if that may go back.
      const Value *Index = GEP->getOperand(1);
      bool Stays = match(Index, PatternMatch::m_Zero());
      bool Onward = GEP->hasNoUnsignedWrap() || isKnownNonNegative(Index, SimplifyQuery(DL));
      declaredFacts(T, Base.plus(0, Stays ? 0 : DL.getTypeAllocSize(T), Onward), true, Budget);
    } else if (T->isFloatingPointTy()) { // Nothing but the source makes such a step.
      for (PointerTarget Element : placesOf(GEP, T))
        if (Element.Stride % floatSize(T, DL) == 0) // Else it is not known where one starts.
          declaredFacts(T, Element, true, Budget);
    }
  }
}

void GraphBuilder::outputOfMath(const OpView &View, const CallBase &Call, PointerTarget Place) {
  if (View.WritesZeroTo) {
    accessFacts(Call, nullptr, View.WrittenType, Place, false, true);
    return;
  }
  // frexp, remquo and lgamma_r write an int.
  G.addFact(Place, 4, ConcreteType::Integer, FactRank::Access);
}

bool GraphBuilder::factsOfIntrinsic(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptrmask:
  case Intrinsic::threadlocal_address:
    return true;
  case Intrinsic::masked_load:
    accessFacts(I, &I, I.getType(), targetOf(I.getArgOperand(0)), true, false);
    return true;
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    accessFacts(
        I, &I, I.getType()->getScalarType(),
        targetOf(I.getArgOperand(0)).plus(0, DL.getTypeAllocSize(I.getType()->getScalarType())),
        true, false);
    return true;
  case Intrinsic::masked_store:
    accessFacts(I, I.getArgOperand(0), I.getArgOperand(0)->getType(), targetOf(I.getArgOperand(1)),
                false, true);
    return true;
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore: {
    Type *E = I.getArgOperand(0)->getType()->getScalarType();
    accessFacts(I, I.getArgOperand(0), E,
                targetOf(I.getArgOperand(1)).plus(0, DL.getTypeAllocSize(E)), false, true);
    return true;
  }
  default:
    return I.doesNotAccessMemory();
  }
}
