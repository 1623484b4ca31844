//===- NeighbourSlots.cpp - Kept loads that share an array ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loads that come to the same place of the array, in whatever iterations, have to read the
// same number:
//
//   the address is linear in the counters of        the same place is the same address: a load that
//   a nest, the same for all of the loads but        lies a row behind another one comes to it an
//   for whole steps of the loops                     iteration of the loop over rows later
//   nothing writes to the memory in the nest         it still holds the same
//
// The loads themselves write the array. So what is read in the reverse sweep is what has been read,
// whatever conditions they are under, and no memory is touched that the program does not touch.
//
//===----------------------------------------------------------------------===//
#include "NeighbourSlots.h"
#include "../ElementIndex.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// By so many iterations of one loop neighbours are apart: the frame is memory, too.
constexpr int64_t MostApart = 4;
/// Loads that are compared with each other.
constexpr unsigned MostGroups = 16;

unsigned NeighbourSlot::haloOf(unsigned Loop) const {
  int64_t Most = 0;
  for (const Member &M : Members)
    Most = std::max(Most, M.At[Loop]);
  return Most;
}

namespace {

/// The place of one load in a nest: Start + counter * step + counter * step ...
struct LinearIndex {
  const SCEV *Base, *Whole;
  bool InElements;                    ///< Else in bytes.
  SmallVector<const Loop *, 4> Nest;  ///< Innermost first.
  SmallVector<const SCEV *, 4> Steps; ///< Null: does not change.
};

class NeighbourFinder {
public:
  NeighbourFinder(const PreparedFunction &P, const MemoryAvailability &Memory)
      : P(P), SE(P.scalarEvolution()), Memory(Memory) {}
  void add(LoadInst &Load);
  SmallVector<NeighbourSlot, 2> finish();

private:
  struct Group {
    LinearIndex First;
    NeighbourSlot Slot;
  };
  std::optional<LinearIndex> indexOf(LoadInst &Load);
  bool takeLoop(LinearIndex &At, const SCEV *&Rest, const Loop *L) const;
  std::optional<SmallVector<int64_t, 3>> distance(const LinearIndex &From, const LinearIndex &To);
  bool takeSymbolic(const LinearIndex &In, const SCEV *Term, SmallVectorImpl<int64_t> &At) const;
  bool takeConstant(const LinearIndex &In, int64_t Rest, SmallVectorImpl<int64_t> &At) const;

  const PreparedFunction &P;
  ScalarEvolution &SE;
  const MemoryAvailability &Memory;
  SmallVector<Group, 4> Groups;
};

} // namespace

/// Adds \p L to the nest, if all of it stays linear; \p Rest is what the index starts with.
bool NeighbourFinder::takeLoop(LinearIndex &At, const SCEV *&Rest, const Loop *L) const {
  const SCEV *Step = nullptr, *Start = Rest;
  if (auto *Moving = dyn_cast<SCEVAddRecExpr>(Rest); Moving && Moving->getLoop() == L) {
    if (!Moving->isAffine())
      return false;
    Step = Moving->getStepRecurrence(SE);
    Start = Moving->getStart();
  }
  auto Stays = [&](const SCEV *S) { return !S || SE.isLoopInvariant(S, L); };
  if (!P.canonical(L).LastIV || !Stays(Start) || !Stays(At.Base) || !Stays(Step) ||
      !all_of(At.Steps, Stays))
    return false;
  At.Nest.push_back(L);
  At.Steps.push_back(Step);
  Rest = Start;
  return true;
}

std::optional<LinearIndex> NeighbourFinder::indexOf(LoadInst &Load) {
  int64_t Size = Load.getDataLayout().getTypeAllocSize(Load.getType()).getFixedValue();
  const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
  LinearIndex At{SE.getPointerBase(Address), SE.removePointerBase(Address), false, {}, {}};
  if (isShortIndex(Address)) {
    At.Whole = inElements(SE, At.Whole, Size);
    At.InElements = true;
  }
  if (!At.Whole)
    return std::nullopt;
  const SCEV *Rest = At.Whole;
  for (const Loop *L = P.loops().getLoopFor(Load.getParent()); L; L = L->getParentLoop())
    if (Memory.mayChangeIn(Load, *L) || !takeLoop(At, Rest, L))
      break;
  return At.Nest.empty() ? std::nullopt : std::optional(At);
}

/// A constant and what it is multiplied with (null: 1).
static std::pair<int64_t, const SCEV *> factorsOf(ScalarEvolution &SE, const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return {C->getAPInt().getSExtValue(), nullptr};
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  auto *C = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!C)
    return {1, S};
  SmallVector<const SCEV *, 4> Others(drop_begin(Product->operands()));
  return {C->getAPInt().getSExtValue(), SE.getMulExpr(Others)};
}

/// \p Term is a number of steps of one loop.
bool NeighbourFinder::takeSymbolic(const LinearIndex &In, const SCEV *Term,
                                   SmallVectorImpl<int64_t> &At) const {
  auto [Factor, Of] = factorsOf(SE, Term);
  for (auto [Number, Step] : enumerate(In.Steps)) {
    if (!Step)
      continue;
    auto [StepFactor, StepOf] = factorsOf(SE, Step);
    if (StepOf != Of || Factor % StepFactor)
      continue;
    At[Number] += Factor / StepFactor;
    return true;
  }
  return false;
}

/// \p Rest is a sum of steps that are constants: as many of the longest as come near to it first.
bool NeighbourFinder::takeConstant(const LinearIndex &In, int64_t Rest,
                                   SmallVectorImpl<int64_t> &At) const {
  SmallVector<std::pair<int64_t, unsigned>, 4> Lengths;
  for (auto [Number, Step] : enumerate(In.Steps))
    if (auto *C = dyn_cast_or_null<SCEVConstant>(Step); C && !C->isZero())
      Lengths.push_back({C->getAPInt().getSExtValue(), unsigned(Number)});
  llvm::sort(Lengths, [](auto &A, auto &B) { return std::abs(A.first) > std::abs(B.first); });
  for (auto [Length, Number] : Lengths) {
    int64_t Half = std::abs(Length) / 2;
    int64_t Times = (Rest + (Rest < 0 ? -Half : Half)) / Length;
    At[Number] += Times;
    Rest -= Times * Length;
  }
  return Rest == 0;
}

/// How many iterations of each loop later \p From comes to the place of \p To.
std::optional<SmallVector<int64_t, 3>> NeighbourFinder::distance(const LinearIndex &From,
                                                                 const LinearIndex &To) {
  const SCEV *Apart = SE.getMinusSCEV(To.Whole, From.Whole);
  SmallVector<const SCEV *, 4> Terms;
  if (auto *Sum = dyn_cast<SCEVAddExpr>(Apart))
    append_range(Terms, Sum->operands());
  else
    Terms.push_back(Apart);
  SmallVector<int64_t, 3> At(From.Nest.size(), 0);
  int64_t Rest = 0;
  for (const SCEV *Term : Terms)
    if (auto *C = dyn_cast<SCEVConstant>(Term))
      Rest = C->getAPInt().getSExtValue();
    else if (!takeSymbolic(From, Term, At))
      return std::nullopt;
  if (!takeConstant(From, Rest, At) ||
      any_of(At, [](int64_t Each) { return std::abs(Each) > MostApart; }))
    return std::nullopt;
  return At;
}

void NeighbourFinder::add(LoadInst &Load) {
  if (!Load.isSimple() || !Load.getType()->isFloatingPointTy())
    return;
  const Loop *L = P.loops().getLoopFor(Load.getParent());
  std::optional<LinearIndex> Index = L ? indexOf(Load) : std::nullopt;
  if (!Index)
    return;
  for (Group &G : Groups) {
    if (G.First.Base != Index->Base || G.First.InElements != Index->InElements ||
        G.First.Nest != Index->Nest || G.First.Steps != Index->Steps ||
        G.Slot.Members.front().Load->getType() != Load.getType())
      continue;
    if (auto At = distance(G.First, *Index)) {
      G.Slot.Members.push_back({&Load, {At->rbegin(), At->rend()}});
      return;
    }
  }
  if (Groups.size() == MostGroups)
    return;
  NeighbourSlot Slot;
  Slot.Nest.assign(Index->Nest.rbegin(), Index->Nest.rend());
  Slot.Members.push_back({&Load, SmallVector<int64_t, 3>(Index->Nest.size(), 0)});
  Groups.push_back({*Index, std::move(Slot)});
}

/// From the least of each loop on.
static void countFromLeast(NeighbourSlot &Slot) {
  for (unsigned Number = 0; Number < Slot.Nest.size(); ++Number) {
    int64_t Least = 0;
    for (const NeighbourSlot::Member &M : Slot.Members)
      Least = std::min(Least, M.At[Number]);
    for (NeighbourSlot::Member &M : Slot.Members)
      M.At[Number] -= Least;
  }
}

/// In a row of neighbours the hindmost comes to all elements, but for those in front of its last
/// one. There the others have come to in the last iteration.
static void leaveOutWrites(NeighbourSlot &Slot) {
  const Loop *L = Slot.Nest.back();
  BasicBlock *Exit = L->getUniqueExitBlock();
  if (L->getNumBlocks() != 1 || !Exit || !Exit->getSinglePredecessor())
    return;
  for (NeighbourSlot::Member &M : Slot.Members)
    for (NeighbourSlot::Member &Other : Slot.Members) {
      if (ArrayRef(M.At).drop_back() != ArrayRef(Other.At).drop_back())
        continue;
      if (M.At.back() == Other.At.back() && Other.Load->comesBefore(M.Load))
        M.Write = SlotWrite::Never;
      else if (M.At.back() == Other.At.back() + 1 && M.Write == SlotWrite::Each)
        M.Write = SlotWrite::Behind;
    }
}

SmallVector<NeighbourSlot, 2> NeighbourFinder::finish() {
  SmallVector<NeighbourSlot, 2> Slots;
  for (Group &G : Groups) {
    if (G.Slot.Members.size() < 2)
      continue;
    countFromLeast(G.Slot);
    leaveOutWrites(G.Slot);
    Slots.push_back(std::move(G.Slot));
  }
  return Slots;
}

SmallVector<NeighbourSlot, 2> findNeighbourSlots(const PreparedFunction &P,
                                                 ArrayRef<LoadInst *> Kept,
                                                 const MemoryAvailability &Memory) {
  NeighbourFinder Finder(P, Memory);
  for (LoadInst *Load : Kept)
    Finder.add(*Load);
  return Finder.finish();
}

} // namespace isozyme
