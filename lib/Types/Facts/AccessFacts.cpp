//===- AccessFacts.cpp - What code says about bytes -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second and third step of building the graph. Loads and stores say what is
// at a place; declarations (types of allocas, globals and GEPs, TBAA records) say
// what should be; integers and bulk copies carry such facts on until none is new.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/Op.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

/// Elements of a declared array that are noted one by one.
static constexpr unsigned DeclaredBudget = 1024;
/// Rounds of carrying facts along copies; a chain of more copies stays unknown.
static constexpr unsigned CopyRounds = 32;
/// Copies add no facts to memory of which so many are known.
static constexpr unsigned MaxCopiedFacts = 512;

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
  if (!Length)
    return std::nullopt;
  auto *C = dyn_cast<ConstantInt>(Length);
  return CopyLink{targetOf(Call.getArgOperand(1)), targetOf(Call.getArgOperand(0)),
                  C ? C->getZExtValue() : 0};
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
  if (std::optional<DeclaredMember> Member = declaredMember(I); Member && Member->IsInteger)
    return ConcreteType::Integer;
  return HasTags ? ConcreteType::Anything : ConcreteType::Unknown;
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
    if (mayDisguise(I, Place, floatSize(T, DL)))
      G.addFact(Place, floatSize(T, DL), ConcreteType::ofFloat(T), FactRank::Disguise);
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
    N.ReadsPointer |= Load;
    N.WritesPointer |= Store;
  } else if (T->isIntegerTy()) {
    uint64_t Size = DL.getTypeStoreSize(T);
    IntegerAccesses.push_back(
        {V, Place, Size, Load, Store, typeInSource(I), mayDisguise(I, Place, Size)});
    if (DL.getTypeSizeInBits(T) % 8) // i1, i33: no float or pointer has such a size.
      G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Integer, FactRank::Access);
  }
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
  std::optional<PointeeTag> Pointee = pointeeOfTag(Tag, DL);
  if (!Pointee || !T->isPointerTy())
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

/// Is member \p K of \p ST a byte beside which there are no others, as an empty class is one? No
/// float can lie there.
static bool isLoneByte(const StructType &ST, unsigned K, const StructLayout &Layout) {
  auto ends = [&](unsigned Member) { // Where it ends, there are none of its bytes any more.
    Type *T = ST.getElementType(Member);
    return !T->isIntegerTy(8) && !T->isArrayTy();
  };
  if (!ST.getElementType(K)->isIntegerTy(8) || (K > 0 && !ends(K - 1)))
    return false;
  uint64_t End = Layout.getElementOffset(K) + 1;
  return K + 1 == ST.getNumElements() || Layout.getElementOffset(K + 1) > End;
}

void GraphBuilder::declaredFacts(Type *T, PointerTarget Place, bool Named, unsigned &Budget,
                                 bool InUnion) {
  if (!Budget)
    return;
  if (auto *ST = dyn_cast<StructType>(T)) {
    if (!ST->isSized())
      return;
    const StructLayout *Layout = DL.getStructLayout(ST);
    Named |= ST->hasName();
    InUnion |= isUnion(*ST);
    uint64_t End = 0;
    for (unsigned K = 0; K != ST->getNumElements(); ++K) {
      uint64_t At = Layout->getElementOffset(K);
      if (At > End && Named)
        G.addFact(Place.plus(End), At - End, ConcreteType::Anything, FactRank::Declared);
      if (Named && !InUnion && BytesInSource && BytesInSource->isFilling(*ST, K, DL))
        G.addFact(Place.plus(At), DL.getTypeStoreSize(ST->getElementType(K)), ConcreteType::Integer,
                  FactRank::Stated);
      else if (Named && !InUnion && isLoneByte(*ST, K, *Layout))
        G.addFact(Place.plus(At), 1, ConcreteType::Integer, FactRank::Stated);
      declaredFacts(ST->getElementType(K), Place.plus(At), Named, Budget, InUnion);
      End = At + DL.getTypeStoreSize(ST->getElementType(K));
    }
    uint64_t Size = Layout->getSizeInBytes();
    if (Size > End && Named)
      G.addFact(Place.plus(End), Size - End, ConcreteType::Anything, FactRank::Declared);
    return;
  }
  if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
    Type *E = T->getContainedType(0);
    uint64_t Count =
        isa<ArrayType>(T) ? T->getArrayNumElements() : cast<FixedVectorType>(T)->getNumElements();
    uint64_t Size = DL.getTypeAllocSize(E);
    if (Count > Budget) {
      Budget = std::min(Budget, DeclaredBudget);
      declaredFacts(E, Place.plus(0, Size), Named, Budget, InUnion);
    } else if (!E->isIntegerTy(8)) { // Bytes are what has no type.
      for (uint64_t K = 0; K != Count; ++K)
        declaredFacts(E, Place.plus(K * Size), Named, Budget, InUnion);
    }
    return;
  }
  --Budget;
  if (T->isFloatingPointTy())
    G.addFact(Place, floatSize(T, DL), ConcreteType::ofFloat(T), FactRank::Declared);
  else if (T->isPointerTy())
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Pointer,
              InUnion ? FactRank::Treated : FactRank::Declared);
  else if (T->isIntegerTy() && !T->isIntegerTy(8))
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Integer,
              Named ? FactRank::Declared : FactRank::Shape);
}

SmallVector<PointerTarget, 4> GraphBuilder::placesOf(const Value *Ptr) {
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  PointerTarget Whole = targetOf(Ptr);
  if (!GEP || !Whole.isValid())
    return {Whole};
  return placesOfElement(*GEP, targetOf(GEP->getPointerOperand()), Whole, DL);
}

void GraphBuilder::initializerFacts() {
  for (auto &[GV, Node] : S.Globals) {
    unsigned Budget = DeclaredBudget;
    declaredFacts(GV->getValueType(), G.startOf(GV, Node), GV->isConstant(), Budget);
  }
}

void GraphBuilder::factsOf(const Instruction &I) {
  scalarEvidence(I);
  unsigned Budget = DeclaredBudget;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    factsOfCall(*Call);
  } else if (auto *L = dyn_cast<LoadInst>(&I)) {
    for (PointerTarget Place : placesOf(L->getPointerOperand())) {
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
    for (PointerTarget Place : placesOf(St->getPointerOperand())) {
      if (!isa<UndefValue>(St->getValueOperand()))
        accessFacts(I, St->getValueOperand(), St->getValueOperand()->getType(), Place, false, true);
      tagFacts(I, Place);
    }
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    PointerTarget Place = targetOf(RMW->getPointerOperand());
    accessFacts(I, RMW, RMW->getType(), Place, true, true);
    if (RMW->getType()->isIntegerTy() && RMW->getOperation() != AtomicRMWInst::Xchg)
      S.Scalars.addEvidence(RMW, ConcreteType::Integer);
    else if (RMW->getType()->isIntegerTy())
      S.Scalars.addCopy(RMW, RMW->getValOperand());
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    accessFacts(I, X->getNewValOperand(), X->getNewValOperand()->getType(),
                targetOf(X->getPointerOperand()), true, true);
  } else if (auto *A = dyn_cast<AllocaInst>(&I); A && !MovedPointers.contains(A)) {
    Type *Allocated = A->getAllocatedType();
    uint64_t Step = A->isArrayAllocation() ? DL.getTypeAllocSize(Allocated).getFixedValue() : 0;
    // What is left of a union may have the type of a single pointer.
    declaredFacts(Allocated, targetOf(A).plus(0, Step), false, Budget, Allocated->isPointerTy());
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    // A record type that the source names: all of it lies at this place.
    Type *T = GEP->getSourceElementType();
    auto *Steps = dyn_cast<ConstantInt>(GEP->getOperand(1));
    PointerTarget Base = targetOf(GEP->getPointerOperand());
    if (isa<StructType>(T) && cast<StructType>(T)->hasName() && T->isSized())
      declaredFacts(T, Steps && Steps->isZero() ? Base : Base.plus(0, DL.getTypeAllocSize(T)), true,
                    Budget);
    else if (T->isFloatingPointTy()) { // Nothing but the source makes such a step.
      PointerTarget Element = targetOf(GEP);
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

bool GraphBuilder::copyFacts(const CopyLink &Link) {
  bool Changed = false;
  for (bool Backward : {false, true}) {
    PointerTarget From = G.normal(Backward ? Link.To : Link.From);
    PointerTarget To = G.normal(Backward ? Link.From : Link.To);
    if (From == To || G.node(To.Node).Facts.size() > MaxCopiedFacts)
      continue;
    auto Facts = G.node(From.Node).Facts;
    for (auto &[Key, Type] : Facts) {
      auto [Stride, Offset, Size, Rank, Object] = Key;
      if (From.Object && Object && Object != From.Object)
        continue;
      // What a copy brings is weaker than what its target is used as.
      FactRank Carried = std::min(Rank, FactRank::Declared);
      uint64_t Every = std::gcd(Stride, From.Stride);
      int64_t At = Offset - From.Offset;
      if (!Every) {
        if (At >= 0 && (!Link.Size || At + int64_t(Size) <= int64_t(Link.Size)))
          Changed |= G.addFact(To.plus(At), Size, Type, Carried);
        continue;
      }
      At %= int64_t(Every);
      if (At < 0)
        At += Every;
      if (!Link.Size || Link.Size / Every > DeclaredBudget) {
        Changed |= G.addFact(To.plus(At, Every), Size, Type, Carried);
        continue;
      }
      // "Every 8 bytes" need not be meant of each element that is copied.
      if (To.Stride != Every && (Rank > FactRank::Doubtful || Rank == FactRank::Stated))
        Carried = FactRank::Spread;
      if (Every % Size) { // Nor is it known where one starts.
        Changed |= G.addFact(To.plus(At, Every), Size, Type, Carried);
        continue;
      }
      for (; At + int64_t(Size) <= int64_t(Link.Size); At += Every)
        Changed |= G.addFact(To.plus(At), Size, Type, Carried);
    }
  }
  return Changed;
}

/// The float at \p A, if it is one whatever integers are declared there.
ConcreteType GraphBuilder::floatAt(const PendingAccess &A, Trusted What) const {
  if (A.Named.isFloat())
    return A.Named;
  bool Disguised = G.mayBeDisguised(A.Place, A.Size);
  bool Untold = A.Named.kind() == ConcreteType::Anything || (FromSource && !A.Named.isKnown());
  bool AnyKind = Untold && (What != Trusted::Floats || !A.Place.Stride);
  ConcreteType Here = Disguised || AnyKind ? G.typeAt(A.Place, A.Size) : ConcreteType();
  bool IsFloat = Here.isFloat() && (Disguised || Here == G.provenTypeAt(A.Place, A.Size));
  return IsFloat ? Here : ConcreteType();
}

/// Are the \p Size bytes at \p Place inside of a float that is accessed there, or were they?
/// More than one byte may be a number beside the floats of another record.
bool GraphBuilder::mayBePartOfFloat(PointerTarget Place, uint64_t Size) const {
  if (any_of(BytesOfFloats, [&](unsigned N) { return G.find(N) == G.find(Place.Node); }))
    return true;
  bool Found = false;
  for (const auto &[Key, Type] : G.node(Place.Node).Facts) {
    auto [Stride, Offset, FloatSize, Rank, Object] = Key;
    if (Size > 1 && !Type.isFloat() && Rank >= FactRank::Declared)
      return false;
    // Elements of an array in a record, so far as is known, lie over all of its members.
    bool IsExact = Place.Stride ? Stride % Place.Stride == 0 : !Stride;
    if (!Type.isFloat() || Rank != FactRank::Access || FloatSize <= Size || !IsExact)
      continue;
    int64_t Distance = Place.Offset - Offset;
    if (int64_t Every = std::gcd(Stride, Place.Stride))
      Distance = (Distance % Every + Every) % Every;
    Found |= Distance >= 0 && Distance < int64_t(FloatSize);
  }
  return Found;
}

/// Bytes that are computed with are numbers.
static bool isOnlyMoved(const Value *V) {
  return isa<LoadInst, PHINode, SelectInst>(V) &&
         all_of(V->users(), [](const User *U) { return isa<StoreInst, PHINode, SelectInst>(U); });
}

/// Floats that are moved in pieces, as byte by byte: no piece of them is a number, and where
/// they are kept meanwhile, nobody sees that there are floats. What is no byte and is treated
/// as a number is one, in a block of memory that is numbers of both kinds.
bool GraphBuilder::solvePartAccess(const PendingAccess &A, Trusted What) {
  PointerTarget Place = G.normal(A.Place);
  if (A.Size > 4 || !Place.isValid() || isa<Constant>(A.Value))
    return false;
  if (A.Size > 1 &&
      (What != Trusted::All || S.Scalars.typeOf(A.Value).kind() == ConcreteType::Integer))
    return false;
  bool Changed =
      isOnlyMoved(A.Value) && mayBePartOfFloat(Place, A.Size) && S.Scalars.addPartOfFloat(A.Value);
  if (S.Scalars.isPartOfFloat(A.Value) && !mayBePartOfFloat(Place, A.Size)) {
    BytesOfFloats.push_back(Place.Node);
    G.addFact(Place, A.Size, ConcreteType::Unknown, FactRank::Access); // Whatever is declared.
    G.Nodes[Place.Node].Private = false; // More is in it than the facts tell.
    Changed = true;
  }
  return Changed;
}

bool GraphBuilder::solveIntegerAccess(PendingAccess &A, Trusted What) {
  bool Proven = What == Trusted::Proven || MovedPointers.contains(A.Value);
  ConcreteType Here = What == Trusted::Floats ? floatAt(A, What)
                      : Proven                ? G.provenTypeAt(A.Place, A.Size)
                                              : G.typeAt(A.Place, A.Size);
  bool ByLook = Here.kind() == ConcreteType::Pointer && !Proven &&
                G.provenTypeAt(A.Place, A.Size).kind() != ConcreteType::Pointer;
  if (ByLook)
    S.Scalars.addPointerMove(A.Value, ScalarTypes::Place::Unknown, A.Load, A.Store);
  bool Changed = solvePartAccess(A, What);
  Changed |= !ByLook && S.Scalars.addMemoryType(A.Value, Here);
  if (Here.isFloat() && (What == Trusted::Floats || floatAt(A, What) == Here))
    S.Scalars.addFloatSource(A.Value);
  ConcreteType T = S.Scalars.typeOf(A.Value);
  uint64_t Size = T.isFloat() ? floatSize(T.floatType(), DL) : A.Size;
  if (!T.isKnown() || T.kind() == ConcreteType::Anything || A.Size % Size)
    return Changed;
  if (What == Trusted::Floats && !T.isFloat())
    return Changed;
  bool OnlyStated = (T.kind() == ConcreteType::Integer && !S.Scalars.isUsedAsInteger(A.Value)) ||
                    S.Scalars.isPointerByLook(A.Value);
  A.Settled |= What != Trusted::All;
  FactRank Rank = !OnlyStated ? FactRank::Access : A.Settled ? FactRank::Member : FactRank::Treated;
  bool Source = T.isFloat() && S.Scalars.isFromFloat(A.Value);
  for (uint64_t At = 0; At != A.Size; At += Size) {
    Changed |= G.addFact(A.Place.plus(At), Size, T, Rank);
    if (Source && (A.MayDisguise || isDeclaredOtherwise(A.Place.plus(At), Size)))
      Changed |= G.addFact(A.Place.plus(At), Size, T, FactRank::Disguise);
  }
  return Changed;
}

void GraphBuilder::solveFacts(Trusted What) {
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round != CopyRounds; ++Round) {
    Changed = false;
    for (PendingAccess &A : IntegerAccesses)
      Changed |= A.Value && solveIntegerAccess(A, What);
    for (const CopyLink &Link : Copies)
      Changed |= copyFacts(Link);
  }
}

/// Is an integer or an address declared at this very place, as a member of a record that has a
/// name?
bool GraphBuilder::isDeclaredOtherwise(PointerTarget Place, uint64_t Size) const {
  Place = G.normal(Place);
  if (!FromSource || !Place.isValid())
    return false;
  const MemoryNode &N = G.node(Place.Node);
  // What another object has there says nothing.
  bool IsOneObject = Place.Object || (!N.Skewed && N.Roots.size() < 2);
  auto It = N.Facts.find(keyOfFact(Place, Size, FactRank::Declared));
  return IsOneObject && It != N.Facts.end() && isVoidInDisguise(It->second);
}

/// Of local memory that nothing is declared of: is a float at the very place, too?
bool GraphBuilder::isUntoldUnion(const PendingAccess &A) const {
  const MemoryNode &N = G.node(A.Place.Node);
  return FromSource && !HasTags && !A.Place.Stride && !N.Skewed && N.Roots.size() == 1 &&
         isa<AllocaInst>(N.Roots.front()) && G.mayBeFloat(A.Place, A.Size);
}

/// A float that is accessed where something else is declared.
void GraphBuilder::noteDisguises() {
  for (unsigned Node = 0; Node != G.size(); ++Node) {
    if (!G.isRepresentative(Node))
      continue;
    for (const auto &[Key, Type] : G.Nodes[Node].Facts) { // A map: what is added does not disturb.
      auto [Stride, Offset, Size, Rank, Object] = Key;
      PointerTarget Place = placeOfFact(Key, Type, Node);
      if (Rank == FactRank::Access && Type.isFloat() && isDeclaredOtherwise(Place, Size))
        G.addFact(Place, Size, Type, FactRank::Disguise);
    }
  }
}

void GraphBuilder::deduceTypes() {
  noteDisguises();
  solveFacts(Trusted::Floats); // Where they are in disguise, declarations do not count.
  solveFacts(Trusted::Proven);
  S.Scalars.settleIntegers();
  // What is now known not to be a float by any road may be taken for an integer
  // where the program treats it as one. Callers may know better.
  bitEvidence();
  solveFacts(Trusted::All);
  settlePointerMoves();
  for (const PendingAccess &A : IntegerAccesses) { // Whole records are moved with their padding.
    if (!A.Value || isa<Constant>(A.Value))
      continue;
    S.Scalars.addPlace(A.Value, G.isPadding(A.Place, A.Size));
    if (A.Place.isValid() && holdsBoth(A))
      S.Scalars.addPlaceOfBoth(A.Value);
    // Beside a float in a union may be integers that are smaller; pieces of it are declared.
    bool Whole = A.Named.kind() != ConcreteType::Integer;
    if (G.mayBeDisguised(A.Place, A.Size, Whole) || isUntoldUnion(A))
      S.Scalars.addPlaceOfFloats(A.Value);
  }
  noteFloatsAmongPointers();
}

/// Memory that is accessed as a pointer, and is given the bytes of a float or has them
/// taken, as integers: a union. A callee that only sees its pointers moves floats, too.
void GraphBuilder::noteFloatsAmongPointers() {
  for (const PendingAccess &A : IntegerAccesses)
    if (A.Value && S.Scalars.isFloatAndOther(A.Value) &&
        G.typeAt(A.Place, A.Size).kind() == ConcreteType::Pointer)
      G.addFact(A.Place, A.Size, ConcreteType::Unknown, FactRank::Access);
  for (const CopyLink &Link : Copies)
    noteMixedCopy(Link);
}

/// A copy that brings floats to where there are pointers, or the other way round: what the
/// place holds is decided when the program runs.
void GraphBuilder::noteMixedCopy(const CopyLink &Link) {
  PointerTarget From = G.normal(Link.From), To = G.normal(Link.To);
  if (!From.isValid() || !To.isValid() || From == To || From.Stride || To.Stride)
    return;
  auto Facts = G.node(From.Node).Facts;
  for (auto &[Key, Type] : Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    int64_t At = Offset - From.Offset;
    if (Stride || At < 0 || At + int64_t(Size) > int64_t(Link.Size) || Rank < FactRank::Declared)
      continue;
    ConcreteType There = G.typeAt(To.plus(At), Size);
    if ((Type.isFloat() && There.kind() == ConcreteType::Pointer) ||
        (Type.kind() == ConcreteType::Pointer && There.isFloat()))
      G.addFact(To.plus(At), Size, ConcreteType::Unknown, FactRank::Access);
  }
}

/// A callee took for integers or pointers what may be floats here: it reads and writes data.
void GraphBuilder::noteTreatedFloats() {
  for (auto &[Call, Nodes] : Instances) {
    const Function *Body = bodyOfCallee(*Call);
    auto There = Body ? Callees.find(Body) : Callees.end();
    if (There == Callees.end() || !There->second)
      continue;
    for (auto &[Node, Target] : Nodes) {
      PointerTarget Here = G.normal(Target);
      bool Data = any_of(There->second->Graph.node(Node).Facts, [&](const auto &Fact) {
        auto [Stride, Offset, Size, Rank, Object] = Fact.first;
        PointerTarget Place = Here.plus(placeOfFact(Fact.first, Fact.second));
        bool Yields = yieldsToFloats(Rank) || Fact.second.kind() == ConcreteType::Pointer;
        bool Void = Fact.second.kind() == ConcreteType::Integer && G.mayBeDisguised(Place, Size);
        return Void || (Yields && G.mayBeFloat(Place, Size));
      });
      if (!Data)
        continue;
      MemoryNode &N = G.Nodes[G.find(Here.Node)];
      N.ReadsData = N.WritesData = true;
      auto &Effects = G.Effects[Call];
      auto *Known = find_if(
          Effects, [&](const CallEffect &E) { return G.find(E.Node) == G.find(Here.Node); });
      if (Known == Effects.end())
        Effects.push_back({G.find(Here.Node), true, true, false, false});
      else
        Known->ReadsData = Known->WritesData = true;
    }
  }
}

/// Nobody here may say what is in memory that is made or released here for others, who know:
/// whether it has a shadow is one question for all of them.
bool GraphBuilder::handlesUnknownMemory() const {
  for (unsigned Node = 0; Node != G.size(); ++Node) {
    const MemoryNode &N = G.node(Node);
    bool Made = any_of(N.Roots, [](const Value *Root) { return isa<CallBase>(Root); });
    if (G.isRepresentative(Node) && (N.Freed || Made) && !N.Private && !N.External &&
        !G.layoutOf({Node, 0, 0}, 0).Period)
      return true;
  }
  return false;
}

bool GraphBuilder::leavesUnknown() const {
  auto Unknown = [](const MemoryLayout &L) {
    return !L.Period || any_of(L.Runs, [](const TypedRun &Run) { return !Run.Type.isKnown(); });
  };
  return handlesUnknownMemory() ||
         any_of(Copies,
                [&](const CopyLink &Link) {
                  return Unknown(G.layoutOf(Link.From, Link.Size)) &&
                         Unknown(G.layoutOf(Link.To, Link.Size));
                }) ||
         any_of(Fills,
                [&](const CopyLink &Fill) { return Unknown(G.layoutOf(Fill.To, Fill.Size)); }) ||
         any_of(IntegerAccesses, [&](const PendingAccess &A) {
           if (!A.Value || A.Size <= 1)
             return false;
           // A constant tells nothing of the place that it is stored to.
           ConcreteType T = S.Scalars.typeOf(A.Value);
           return !T.isKnown() || (isa<Constant>(A.Value) && Unknown(G.layoutOf(A.Place, A.Size)));
         });
}

bool GraphBuilder::movesForeignPointers() const {
  return any_of(IntegerAccesses, [&](const PendingAccess &A) {
    return A.Value && A.Value->getType()->isIntOrIntVectorTy() && A.Place.isValid() &&
           !G.node(A.Place.Node).Private &&
           S.Scalars.typeOf(A.Value).kind() == ConcreteType::Pointer;
  });
}

bool GraphBuilder::treatsForeignMemory() const {
  return any_of(G.Nodes, [](const MemoryNode &N) {
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return yieldsToFloats(std::get<3>(Fact.first));
    });
  });
}

bool GraphBuilder::declaresForeignIntegers() const {
  return any_of(G.Nodes, [](const MemoryNode &N) {
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return Fact.second.kind() == ConcreteType::Integer && isStatement(std::get<3>(Fact.first));
    });
  });
}

/// Which nodes are read or written as data: floats, or bytes of unknown type.
void GraphBuilder::setAccessFlags() {
  auto Note = [&](PointerTarget Place, const MemoryLayout &L, bool Load, bool Store) {
    MemoryNode &N = G.Nodes[G.find(Place.Node)];
    bool Data = !L.Period, Pointer = !L.Period;
    for (const TypedRun &R : L.Runs) {
      Data |= R.Type.isFloat() || !R.Type.isKnown();
      Pointer |= R.Type.kind() == ConcreteType::Pointer || !R.Type.isKnown();
      N.Raw |= !R.Type.isKnown();
    }
    N.Raw |= !L.Period;
    N.ReadsData |= Data && Load;
    N.WritesData |= Data && Store;
    N.ReadsPointer |= Pointer && Load;
    N.WritesPointer |= Pointer && Store;
  };
  for (const PendingAccess &A : IntegerAccesses) {
    bool InPart = A.Value && S.Scalars.isPartOfFloat(A.Value);
    Note(A.Place, InPart ? MemoryLayout() : G.layoutOf(A.Place, A.Size), A.Load, A.Store);
    if (!A.Store || !A.Value || isa<Constant>(A.Value) || A.Size >= DL.getPointerSize())
      continue;
    ConcreteType T = S.Scalars.typeOf(A.Value);
    if (!T.isKnown() || T.kind() == ConcreteType::Pointer || wholeAddress(A.Value).isValid())
      G.Nodes[G.find(A.Place.Node)].Pieces = true;
  }
  for (const CopyLink &Fill : Fills)
    Note(Fill.To, G.layoutOf(Fill.To, Fill.Size), false, true);
  for (const CopyLink &Link : Copies) {
    MemoryLayout L = G.layoutOf(Link.From, Link.Size);
    Note(Link.From, L, true, false);
    Note(Link.To, L, false, true);
    if (G.node(Link.From.Node).Pieces)
      G.Nodes[G.find(Link.To.Node)].Pieces = true;
  }
}
