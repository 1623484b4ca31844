//===- MemoryAvailability.cpp - Can a load be repeated later? -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers one question for the planner: if the reverse sweep executes this load
// again, does it see the same bytes? It does when no write that may alias can
// run after the load in the forward sweep, and, for split derivatives, when the
// caller promised not to overwrite the argument in between.
//
// LLVM's alias analysis compares two pointers of the same moment. Here the load
// of one iteration meets the writes of all later ones, so inside loops only
// facts that hold for every iteration are used: distinct underlying objects,
// type-based aliasing, offsets that differ modulo the common stride, and the order in which
// loops write (WriteOrder).
//
// Never: looks at activity, emits IR, or guesses: an unknown callee is a write.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/MemoryAvailability.h"
#include "WriteOrder.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/AddressTerms.h"
#include "isozyme/Values/KnownMultiple.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>
#include <vector>

using namespace llvm;

namespace isozyme {

/// When more writes than this may touch what a load reads, the answer is "may be
/// overwritten": the cost of planning stays linear in the size of huge functions.
constexpr size_t MaxWritesPerQuery = 4096;
/// For each of these the order of loops is looked at, which takes longer.
constexpr unsigned MaxOrderedWrites = 16;

struct MemoryAvailability::Region {
  Value *Ptr = nullptr;
  LocationSize Size = LocationSize::beforeOrAfterPointer();
  AAMDNodes Tags;
  SmallVector<const Value *, 2> Objects;
  /// Valid when HasOffset: the access starts at Objects[0] + Offset + k*Stride.
  bool HasOffset = false;
  int64_t Offset = 0;
  uint64_t Stride = 0;

  static Region of(Value *Ptr, LocationSize Size, AAMDNodes Tags, const Function &In);
};

/// Is \p Ptr computed from \p Object? Then these are the constant distance and what divides the
/// rest.
static bool decompose(Value *Ptr, const Value *Object, const DataLayout &DL, int64_t &Offset,
                      uint64_t &Stride) {
  std::optional<AddressTerms> Sum = addressTerms(Ptr, DL);
  if (!Sum || Sum->Base != Object)
    return false;
  Offset = Sum->Offset;
  for (auto &[Index, Scale] : Sum->Terms)
    Stride = std::gcd(Stride, uint64_t(std::abs(Scale)) * knownMultiple(*Index, DL));
  return true;
}

MemoryAvailability::Region MemoryAvailability::Region::of(Value *Ptr, LocationSize Size,
                                                          AAMDNodes Tags, const Function &In) {
  Region G;
  G.Ptr = Ptr;
  G.Size = Size;
  // Scoped noalias may speak of one iteration only; type-based facts hold always.
  G.Tags.TBAA = Tags.TBAA;
  G.Objects = accessedObjects(Ptr, In);
  if (G.Objects.size() == 1)
    G.HasOffset = decompose(Ptr, G.Objects[0], In.getDataLayout(), G.Offset, G.Stride);
  return G;
}

/// Do [OffA, OffA+SizeA) and [OffB, OffB+SizeB), repeated every Stride bytes,
/// have no byte in common?
static bool disjoint(int64_t OffA, uint64_t SizeA, int64_t OffB, uint64_t SizeB, uint64_t Stride) {
  if (Stride == 0)
    return OffA + int64_t(SizeA) <= OffB || OffB + int64_t(SizeB) <= OffA;
  if (SizeA > Stride || SizeB > Stride)
    return false;
  int64_t Gap = (OffB - OffA) % int64_t(Stride);
  if (Gap < 0)
    Gap += Stride;
  return uint64_t(Gap) >= SizeA && uint64_t(Gap) + SizeB <= Stride;
}

/// Bytes of one object that are the same in all iterations.
static std::optional<uint64_t> sizeOf(LocationSize Size) {
  if (!Size.hasValue() || Size.isScalable())
    return std::nullopt;
  return Size.getValue().getFixedValue();
}

/// The writes of a function, in program order, and by what they write to.
struct MemoryAvailability::Index {
  struct Write {
    Instruction *I;
    std::optional<Region> To; ///< Not for calls that may write to several places.
  };
  /// Writes to one object. Those to fixed bytes of it in the order of these bytes.
  struct Object {
    SmallVector<std::pair<int64_t, unsigned>, 4> AtOffset;
    uint64_t Widest = 0;
    SmallVector<unsigned, 4> Elsewhere;
  };
  explicit Index(const MemoryAvailability &M) : M(M) {}
  void add(Instruction &I);
  void finish();
  /// The numbers of the writes that may touch \p What, increasing; nothing when
  /// there are too many.
  std::optional<SmallVector<unsigned, 16>> candidates(const Region &What) const;
  /// Is \p BB behind \p From, or in the same loop?
  bool comesAfter(const BasicBlock *From, const BasicBlock *BB) const;

  std::vector<Write> All;

private:
  bool mayOverlap(const Value *A, const Value *B) const;
  void collect(const Value *Key, const Region &What, SmallVectorImpl<unsigned> &Out) const;

  const MemoryAvailability &M;
  MapVector<const Value *, Object> Objects;
  /// Objects that may overlap others, and writes to no single object.
  SmallVector<const Value *, 4> Vague, Moving;
  SmallVector<unsigned, 4> Anywhere;
  DenseMap<const BasicBlock *, unsigned> Order; ///< Reverse post-order.
};

void MemoryAvailability::Index::add(Instruction &I) {
  unsigned Number = All.size();
  All.push_back({&I, std::nullopt});
  std::optional<MemoryLocation> Target = MemoryLocation::getOrNone(&I);
  if (!Target) {
    Anywhere.push_back(Number);
    return;
  }
  Region To =
      Region::of(const_cast<Value *>(Target->Ptr), Target->Size, Target->AATags, *I.getFunction());
  if (To.Objects.size() != 1) {
    Anywhere.push_back(Number);
  } else {
    auto [It, First] = Objects.insert({To.Objects[0], {}});
    if (First && !isIdentifiedObject(It->first))
      Vague.push_back(It->first);
    if (First && !M.isFixed(It->first))
      Moving.push_back(It->first);
    std::optional<uint64_t> Bytes = sizeOf(To.Size);
    if (To.HasOffset && To.Stride == 0 && Bytes && M.isFixed(It->first)) {
      It->second.AtOffset.push_back({To.Offset, Number});
      It->second.Widest = std::max(It->second.Widest, *Bytes);
    } else {
      It->second.Elsewhere.push_back(Number);
    }
  }
  All.back().To = std::move(To);
}

void MemoryAvailability::Index::finish() {
  for (auto &[Key, O] : Objects)
    llvm::sort(O.AtOffset);
  for (const BasicBlock *BB : ReversePostOrderTraversal<Function *>(&M.P.function()))
    Order.insert({BB, unsigned(Order.size())});
}

bool MemoryAvailability::Index::mayOverlap(const Value *A, const Value *B) const {
  if (M.areApart(A, B))
    return false;
  // Two objects that are others in each iteration may meet later.
  if (A == B || (!M.isFixed(A) && !M.isFixed(B)))
    return true;
  auto isOutside = [](const Value *V) { return isa<Argument, GlobalVariable>(V); };
  return !(isIdentifiedObject(A) && isIdentifiedObject(B)) &&
         !(isOutside(A) && isIdentifiedFunctionLocal(B)) &&
         !(isOutside(B) && isIdentifiedFunctionLocal(A));
}

void MemoryAvailability::Index::collect(const Value *Key, const Region &What,
                                        SmallVectorImpl<unsigned> &Out) const {
  const Object &O = Objects.find(Key)->second;
  append_range(Out, O.Elsewhere);
  std::optional<uint64_t> Bytes = sizeOf(What.Size);
  bool Exact = What.HasOffset && What.Stride == 0 && Bytes && What.Objects[0] == Key;
  auto At = O.AtOffset.begin(), End = O.AtOffset.end();
  if (Exact) {
    At = lower_bound(O.AtOffset, std::pair(What.Offset - int64_t(O.Widest), 0u));
    End = lower_bound(O.AtOffset, std::pair(What.Offset + int64_t(*Bytes), 0u));
  }
  for (; At != End && Out.size() <= MaxWritesPerQuery; ++At)
    Out.push_back(At->second);
}

std::optional<SmallVector<unsigned, 16>>
MemoryAvailability::Index::candidates(const Region &What) const {
  SmallVector<unsigned, 16> Out(Anywhere.begin(), Anywhere.end());
  SmallSetVector<const Value *, 4> Keys;
  for (const Value *O : What.Objects) {
    if (!isIdentifiedObject(O)) { // Any object may be behind it.
      for (auto &[Key, Writes] : Objects)
        if (mayOverlap(O, Key))
          Keys.insert(Key);
      continue;
    }
    if (Objects.count(O))
      Keys.insert(O);
    for (const Value *Key : Vague)
      if (mayOverlap(O, Key))
        Keys.insert(Key);
    if (!M.isFixed(O))
      Keys.insert(Moving.begin(), Moving.end());
  }
  for (const Value *Key : Keys) {
    collect(Key, What, Out);
    if (Out.size() > MaxWritesPerQuery)
      return std::nullopt;
  }
  llvm::sort(Out);
  return Out;
}

/// In a reducible function control comes to an earlier block only by a loop.
bool MemoryAvailability::Index::comesAfter(const BasicBlock *From, const BasicBlock *BB) const {
  if (const Loop *L = M.P.loops().getLoopFor(From))
    From = L->getOutermostLoop()->getHeader();
  return Order.lookup(From) <= Order.lookup(BB);
}

bool MemoryAvailability::isPutOff(const CallBase &Call) const {
  auto It = Calls.find(&Call);
  return It != Calls.end() && It->second.PutOff;
}

MemoryEffects MemoryAvailability::effectsOf(const CallBase &Call) const {
  auto It = Calls.find(&Call);
  return It == Calls.end() ? Call.getMemoryEffects() : It->second.Effects;
}

bool MemoryAvailability::isWrite(const Instruction &I) const {
  if (!I.mayWriteToMemory() || !P.reachesReturn(I.getParent()))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  return !Call || (!isPutOff(*Call) && isModSet(visibleEffects(effectsOf(*Call))));
}

MemoryAvailability::MemoryAvailability(const PreparedFunction &P, const DiffRequest &R,
                                       const CallPlanSet &Plans, const UnreadMemory &Unread,
                                       const LateStores &Late, CalleeEffects &Effects)
    : P(P), R(R), Rows(P), Writes(std::make_unique<Index>(*this)),
      Order(std::make_unique<WriteOrder>(P)) {
  for (auto &[Call, Plan] : Plans)
    Calls.insert({Call, {Plan.Effects, Plan.K == CallPlan::Free}});
  SmallPtrSet<const Instruction *, 8> LeftOut(Unread.stores().begin(), Unread.stores().end());
  LeftOut.insert_range(Late.stores());
  for (Instruction &I : instructions(P.function()))
    if (isWrite(I) && !LeftOut.contains(&I))
      Writes->add(I);
  Writes->finish();
  findTargets(Plans, Effects);
}

MemoryAvailability::~MemoryAvailability() = default;

bool MemoryAvailability::anyWrite(function_ref<bool(const Instruction &)> Is) const {
  return any_of(Writes->All, [&](const Index::Write &W) { return Is(*W.I); });
}

bool MemoryAvailability::isFixed(const Value *Object) const {
  auto *I = dyn_cast<Instruction>(Object);
  return !I || !P.loops().getLoopFor(I->getParent());
}

/// Is \p Object memory of this function whose address is nowhere else?
bool MemoryAvailability::isHidden(const Value *Object) const {
  auto [It, New] = Hidden.insert({Object, false});
  if (New)
    It->second = isHiddenMemory(*Object, P.libraryInfo(), [](const Use &) { return true; });
  return It->second;
}

bool MemoryAvailability::areApart(const Value *A, const Value *B) const {
  auto alone = [&](const Value *V) {
    auto *Arg = dyn_cast<Argument>(V);
    return Arg && R.isApart(Arg->getArgNo());
  };
  // What is in memory, or comes from the caller, is not the address of what is known here only.
  auto isUnknown = [&](const Value *V) { return isa<Argument, GlobalVariable, LoadInst>(V); };
  return A != B && ((alone(A) && beginsHere(B)) || (alone(B) && beginsHere(A)) ||
                    (isUnknown(A) && isHidden(B)) || (isUnknown(B) && isHidden(A)) ||
                    Rows.areApart(A, B) || leadApart(A, B));
}

/// A pointer that leads to no object.
static bool isNowhere(const Value *V) { return isa<ConstantPointerNull, UndefValue>(V); }

/// Is there \p A already whenever \p B gets its value?
bool MemoryAvailability::isThereBefore(const Value *A, const Value *B) const {
  auto *One = dyn_cast<Instruction>(A);
  auto *Other = dyn_cast<Instruction>(B);
  return Other && (!One || P.dominators().dominates(One, Other));
}

/// Does \p B make memory when there is \p A already? Then it is not what \p A leads to.
bool MemoryAvailability::isMadeLater(const Value *A, const Value *B) const {
  return isNoAliasCall(B) && isThereBefore(A, B);
}

bool MemoryAvailability::areDifferent(const Value *A, const Value *B) const {
  // Pairs of phis may come round to themselves, as those of two buffers that change places do.
  SetVector<std::pair<const Value *, const Value *>> Pairs;
  Pairs.insert({A, B});
  auto isChosenLater = [&](const Value *One, const Value *Other) {
    auto *Phi = dyn_cast<PHINode>(Other);
    if (!Phi || One == Other || !isThereBefore(One, Other))
      return false;
    for (const Value *V : Phi->incoming_values())
      Pairs.insert({One, getUnderlyingObject(V, 0)});
    return true;
  };
  for (size_t Next = 0; Next < Pairs.size(); ++Next) {
    auto [One, Other] = Pairs[Next];
    auto *Phi = dyn_cast<PHINode>(One), *OtherPhi = dyn_cast<PHINode>(Other);
    if (isNowhere(One) || isNowhere(Other) || areApart(One, Other) || isMadeLater(One, Other) ||
        isMadeLater(Other, One))
      continue;
    if (One != Other && Phi && OtherPhi && Phi->getParent() == OtherPhi->getParent()) {
      for (auto [BB, V] : zip_equal(Phi->blocks(), Phi->incoming_values()))
        Pairs.insert({getUnderlyingObject(V, 0),
                      getUnderlyingObject(OtherPhi->getIncomingValueForBlock(BB), 0)});
      continue;
    }
    if (isChosenLater(One, Other) || isChosenLater(Other, One))
      continue;
    // Rows of different tables.
    const Value *Table = Rows.tableOf(One), *OtherTable = Table ? Rows.tableOf(Other) : nullptr;
    if (OtherTable && Table != OtherTable) {
      Pairs.insert({Table, OtherTable});
      continue;
    }
    if (!P.aliasAnalysis().isNoAlias(MemoryLocation::getBeforeOrAfter(One),
                                     MemoryLocation::getBeforeOrAfter(Other)))
      return false;
  }
  return true;
}

bool MemoryAvailability::mayRunAfter(const Instruction &From, const Instruction &W) const {
  const BasicBlock *Here = From.getParent(), *There = W.getParent();
  if (Here == There) // LLVM's query would walk the block each time.
    return P.loops().getLoopFor(Here) || P.numberOf(&From) < P.numberOf(&W);
  return Writes->comesAfter(Here, There) &&
         isPotentiallyReachable(Here, There, nullptr, &P.dominators(), &P.loops());
}

/// Two objects that are others in each iteration may meet later, even when they never are
/// one at the same moment.
bool MemoryAvailability::mayMeet(const Value *A, const Value *B) const {
  auto whole = [](const Value *V) { return MemoryLocation::getBeforeOrAfter(V); };
  return !areApart(A, B) &&
         ((!isFixed(A) && !isFixed(B)) || !P.aliasAnalysis().isNoAlias(whole(A), whole(B)));
}

/// May \p Call write to the objects of \p What at all?
bool MemoryAvailability::mayReach(const CallBase &Call, const Region &What) const {
  if (isModSet(effectsOf(Call).getModRef(IRMemLocation::Other))) {
    auto Written = CallWrites.find(&Call);
    return Written == CallWrites.end() || any_of(What.Objects, [&](const Value *Object) {
             return Targets->mayMeet(Targets->ofObject(Object), Written->second);
           });
  }
  return any_of(Call.data_ops(), [&](const Use &Arg) {
    if (!Arg->getType()->isPtrOrPtrVectorTy() || Call.onlyReadsMemory(Call.getDataOperandNo(&Arg)))
      return false;
    return any_of(accessedObjects(Arg, P.function()), [&](const Value *To) {
      return any_of(What.Objects, [&](const Value *Object) { return mayMeet(Object, To); });
    });
  });
}

/// May \p W, which writes to \p To if that is a single place, change \p What? \p Once:
/// neither is in a loop, so that pointers can be compared as they are.
bool MemoryAvailability::mayWrite(const Instruction &W, const Region *To, const Region &What,
                                  bool Once) const {
  AAResults &AA = P.aliasAnalysis();
  std::optional<uint64_t> Bytes = sizeOf(What.Size), Written;
  if (To)
    Written = sizeOf(To->Size);
  // Offsets are only comparable from an object that is the same at both moments.
  if (To && What.HasOffset && To->HasOffset && What.Objects[0] == To->Objects[0] &&
      isFixed(What.Objects[0]) && Bytes && Written &&
      disjoint(What.Offset, *Bytes, To->Offset, *Written, std::gcd(What.Stride, To->Stride)))
    return false;
  auto *Call = To ? nullptr : dyn_cast<CallBase>(&W);
  if (Call && !mayReach(*Call, What))
    return false;
  if (Once)
    return isModSet(AA.getModRefInfo(&W, MemoryLocation(What.Ptr, What.Size, What.Tags)));
  return any_of(What.Objects, [&](const Value *Object) {
    MemoryLocation Whole(Object, LocationSize::beforeOrAfterPointer(), What.Tags);
    if (!To)
      return isModSet(AA.getModRefInfo(&W, Whole));
    return any_of(To->Objects, [&](const Value *Target) {
      if (areApart(Object, Target))
        return false;
      // Two pointers that change from iteration to iteration may meet later,
      // even when they never are equal at one moment.
      if (!isFixed(Object) && !isFixed(Target))
        return true;
      MemoryLocation Other(Target, LocationSize::beforeOrAfterPointer(), To->Tags);
      return !AA.isNoAlias(Whole, Other);
    });
  });
}

/// What the address is computed from, by offsets.
static const Value *baseOf(const Value *Ptr) {
  while (auto *GEP = dyn_cast<GEPOperator>(Ptr))
    Ptr = GEP->getPointerOperand();
  return Ptr;
}

/// On a GPU other threads write too, in an order of their own.
bool MemoryAvailability::writesElsewhere(const Instruction &W, const Region *To,
                                         const Instruction &From, const Region &What) const {
  auto *S = dyn_cast<StoreInst>(&W);
  auto *L = dyn_cast<LoadInst>(&From);
  const Value *Base = baseOf(What.Ptr);
  return S && L && To && Base == baseOf(To->Ptr) && isFixed(Base) &&
         !acceleratorOf(*P.original().getParent()) && Order->writesElsewhere(*S, *L, Base);
}

bool MemoryAvailability::areApartIn(const Instruction &A, const Instruction &B,
                                    const Loop &In) const {
  const Value *Base = baseOf(getLoadStorePointerOperand(&A));
  return Base == baseOf(getLoadStorePointerOperand(&B)) && In.isLoopInvariant(Base) &&
         !acceleratorOf(*P.original().getParent()) && Order->areApart(A, B, Base, In);
}

const Instruction *MemoryAvailability::clobberAfter(const Instruction &From,
                                                    const Region &What) const {
  const Instruction *First = nullptr;
  clobbersAfter(From, What, [&](const Instruction *W) {
    First = W;
    return false;
  });
  return First;
}

void MemoryAvailability::clobbersAfter(const Instruction &From, const Region &What,
                                       function_ref<bool(Instruction *)> Each) const {
  std::optional<SmallVector<unsigned, 16>> Candidates = Writes->candidates(What);
  if (!Candidates) { // Too many: whatever there is.
    for (const Index::Write &W : Writes->All)
      if (!Each(W.I))
        return;
    return;
  }
  bool Once = !P.loops().getLoopFor(From.getParent());
  unsigned Ordered = 0;
  for (unsigned Number : *Candidates) {
    auto &[W, To] = Writes->All[Number];
    if (W == &From && Once)
      continue;
    // Across blocks reachability is the dearer question, within one the cheaper.
    if (W->getParent() == From.getParent() ? !mayRunAfter(From, *W)
                                           : !Writes->comesAfter(From.getParent(), W->getParent()))
      continue;
    bool OnlyOnce = Once && !P.loops().getLoopFor(W->getParent());
    if (mayWrite(*W, To ? &*To : nullptr, What, OnlyOnce) && mayRunAfter(From, *W) &&
        !(Ordered++ < MaxOrderedWrites && writesElsewhere(*W, To ? &*To : nullptr, From, What)) &&
        !Each(W))
      return;
  }
}

bool MemoryAvailability::isPrivateBlock(const Value *Object) const {
  auto *Call = dyn_cast<CallBase>(Object);
  if (!Call || !isAllocation(*Call, P.libraryInfo()))
    return false;
  if (!PointerMayBeCaptured(Call, /*ReturnCaptures=*/true))
    return true;
  // The caller may know an address that it must not use any more.
  return any_of(Call->users(), [&](const User *U) {
    auto *Release = dyn_cast<CallBase>(U);
    return Release && isPutOff(*Release) && isFixed(Call) && isFixed(Release) &&
           freedPointer(*Release, P.libraryInfo()) == Call &&
           P.dominators().dominates(Release->getParent(), P.returnBlock());
  });
}

bool MemoryAvailability::endsHere(const Value *Object) const {
  return isFixed(Object) && isHidden(Object);
}

const ReloadReason *MemoryAvailability::unstable(const Value *Object) const {
  static constexpr ReloadReason Caller = ReloadReason::CallerMayOverwrite,
                                Local = ReloadReason::LocalMemory;
  if (auto *A = dyn_cast<Argument>(Object))
    return R.MayOverwrite[A->getArgNo()] ? &Caller : nullptr;
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant() ? nullptr : &Caller;
  if (isPrivateBlock(Object))
    return nullptr;
  if (!R.Steady.empty() && isa<LoadInst>(Object) &&
      !PointerTargets::anyOf(Targets->ofObject(Object), [&](unsigned Place) {
        std::optional<unsigned> From = Targets->argumentOf(Place);
        return !From || (Targets->nameOf(Place) ? R.MayOverwrite[*From] : !R.isSteady(*From));
      }))
    return nullptr;
  return isa<AllocaInst>(Object) ? &Local : &Caller;
}

Availability MemoryAvailability::of(const LoadInst &L) const {
  if (!L.isSimple())
    return {ReloadReason::Volatile, nullptr};
  MemoryLocation Loc = MemoryLocation::get(&L);
  // The memory of a `noalias readonly` argument is constant while the function runs, no longer.
  bool IsConstant = !isModSet(P.aliasAnalysis().getModRefInfoMask(Loc));
  if (L.hasMetadata(LLVMContext::MD_invariant_load) || (IsConstant && !R.isSplit()))
    return {ReloadReason::ConstantMemory, nullptr};
  Region What =
      Region::of(const_cast<Value *>(L.getPointerOperand()), Loc.Size, Loc.AATags, P.function());
  if (R.isSplit())
    for (const Value *Object : What.Objects)
      if (const ReloadReason *Why = unstable(Object))
        return {*Why, nullptr};
  if (IsConstant)
    return {ReloadReason::ConstantMemory, nullptr};
  if (const Instruction *W = clobberAfter(L, What))
    return {ReloadReason::OverwrittenBy, W};
  return {ReloadReason::NeverOverwritten, nullptr};
}

std::optional<SmallVector<Instruction *, 4>>
MemoryAvailability::overwritesAfter(const LoadInst &L, unsigned Most) const {
  MemoryLocation Loc = MemoryLocation::get(&L);
  Region What =
      Region::of(const_cast<Value *>(L.getPointerOperand()), Loc.Size, Loc.AATags, P.function());
  SmallVector<Instruction *, 4> Found;
  clobbersAfter(L, What, [&](Instruction *W) {
    Found.push_back(W);
    return Found.size() <= Most;
  });
  if (Found.size() > Most)
    return std::nullopt;
  return Found;
}

bool MemoryAvailability::mayChangeAfter(const CallBase &Call, Value *Ptr) const {
  Region What = Region::of(Ptr, LocationSize::beforeOrAfterPointer(), AAMDNodes(), P.function());
  What.HasOffset = false; // The callee may go anywhere in the object.
  if (R.isSplit() &&
      any_of(What.Objects, [&](const Value *O) { return !isa<AllocaInst>(O) && unstable(O); }))
    return true;
  return clobberAfter(Call, What) != nullptr;
}

bool MemoryAvailability::mayChangeIn(const LoadInst &L, const Loop &In) const {
  MemoryLocation Loc = MemoryLocation::get(&L);
  Region What =
      Region::of(const_cast<Value *>(L.getPointerOperand()), Loc.Size, Loc.AATags, P.function());
  std::optional<SmallVector<unsigned, 16>> Candidates = Writes->candidates(What);
  // Two pointers that the loop does not change stay different, even if one may be the other when
  // it runs again.
  const Value *Read = getUnderlyingObject(What.Ptr, /*MaxLookup=*/0);
  auto staysDifferent = [&](const Value *Ptr) {
    const Value *Written = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
    return In.contains(&L) && In.isLoopInvariant(Read) && In.isLoopInvariant(Written) &&
           areDifferent(Read, Written);
  };
  return !Candidates || any_of(*Candidates, [&](unsigned Number) {
    auto &[W, To] = Writes->All[Number];
    return In.contains(W) && mayWrite(*W, To ? &*To : nullptr, What, /*Once=*/false) &&
           !(To && staysDifferent(To->Ptr));
  });
}

bool MemoryAvailability::mayChangeBetween(const StoreInst &S, const LoadInst &L,
                                          const Loop *Common) const {
  constexpr size_t MaxWrites = 64;
  MemoryLocation Loc = MemoryLocation::get(&L);
  Region What =
      Region::of(const_cast<Value *>(L.getPointerOperand()), Loc.Size, Loc.AATags, P.function());
  std::optional<SmallVector<unsigned, 16>> Candidates = Writes->candidates(What);
  if (!Candidates || Candidates->size() > MaxWrites)
    return true;
  BasicBlock *Next = Common ? Common->getHeader() : nullptr;
  SmallPtrSet<BasicBlock *, 1> EndsHere;
  if (Next)
    EndsHere.insert(Next);
  // Only ways inside one iteration of Common count. Its header ends them: there the next one
  // begins.
  auto reaches = [&](const BasicBlock *From, const BasicBlock *To) {
    if (From == To || From != Next)
      return isPotentiallyReachable(From, To, &EndsHere, &P.dominators(), &P.loops());
    return any_of(successors(From), [&](const BasicBlock *Then) {
      return isPotentiallyReachable(Then, To, &EndsHere, &P.dominators(), &P.loops());
    });
  };
  // The store may run in each iteration of its own loop: look from the start of that loop.
  const BasicBlock *Start = S.getParent();
  if (const Loop *In = P.loops().getLoopFor(Start); In != Common)
    Start = In->getHeader();
  for (unsigned Number : *Candidates) {
    auto &[W, To] = Writes->All[Number];
    const BasicBlock *At = W->getParent();
    if (W == &S || (Common && !Common->contains(At)) ||
        !mayWrite(*W, To ? &*To : nullptr, What, /*Once=*/false))
      continue;
    bool Straight = P.loops().getLoopFor(At) == Common;
    if (At == Next && Start != Next) // Before the store.
      continue;
    if (Straight && ((At == Start && P.numberOf(W) < P.numberOf(&S)) ||
                     (At == L.getParent() && P.numberOf(W) > P.numberOf(&L))))
      continue;
    if (reaches(Start, At) && reaches(At, L.getParent()))
      return true;
  }
  return false;
}

std::string Availability::str() const {
  switch (Reason) {
  case ReloadReason::ConstantMemory:
    return "constant memory";
  case ReloadReason::NeverOverwritten:
    return "not overwritten afterwards";
  case ReloadReason::OverwrittenBy: {
    std::string S = "may be overwritten";
    if (Clobber && Clobber->getDebugLoc())
      S += " in line " + std::to_string(lineOfUser(Clobber->getDebugLoc())->getLine());
    return S;
  }
  case ReloadReason::CallerMayOverwrite:
    return "the caller may overwrite it between the sweeps";
  case ReloadReason::LocalMemory:
    return "local memory of the forward sweep";
  case ReloadReason::Volatile:
    return "volatile or atomic";
  }
  llvm_unreachable("complete switch");
}

} // namespace isozyme
