//===- CarriedSums.cpp - Adjoints of neighbours, in registers -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A share reaches memory later than its iteration. What has to hold, so that nobody sees
// the difference:
//
//   the loop has one block, and each iteration      each share is computed once an iteration
//   of it runs whole
//   the addresses move by one element an            the k-th share of this iteration belongs
//   iteration, and are constants apart              where one of the next iterations adds
//   what lies between two loads is read by the      after the loop no element is written that
//   next iterations, or there are none              no iteration has added to
//   nothing else in the loop reads or clears        additions may change their order, reads
//   that shadow; others may add to it               may not
//
// Of one element that each iteration reads, only the last one has to hold, and that each iteration
// does read it: behind the loop it is written.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/CarriedSums.h"
#include "ElementIndex.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/Order/RisingLoops.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace isozyme {

/// Each is a register for the length of the loop.
constexpr unsigned MostDelay = 6, MostElements = 6;
/// From one load to the next, in elements. Those in between cost a register each, and nothing is
/// added to them.
constexpr unsigned MostDistance = 2;
/// Bytes of a record. What is further apart are rows.
constexpr int64_t MostStep = 128;

LoadInst *CarriedSum::withDelay(unsigned Delay) const {
  const Member *Found = find_if(Members, [&](const Member &M) { return M.Delay == Delay; });
  return Found == Members.end() ? nullptr : Found->Load;
}

unsigned CarriedSum::longestDelay() const {
  unsigned Longest = 0;
  for (const Member &M : Members)
    Longest = std::max(Longest, M.Delay);
  return Longest;
}

unsigned CarriedSum::elements() const {
  unsigned Count = 0;
  for (unsigned Delay = 0; Delay <= longestDelay(); ++Delay)
    Count += withDelay(Delay) != nullptr;
  return Count;
}

unsigned CarriedSum::readBefore(unsigned Delay) const {
  unsigned Before = 0;
  while (!withDelay(Delay + Before))
    ++Before;
  return Before;
}

const CarriedSum *CarriedSums::find(const LoadInst &Load) const {
  const auto *It = find_if(Sums, [&](const CarriedSum &Sum) {
    return any_of(Sum.Members, [&](const CarriedSum::Member &M) { return M.Load == &Load; });
  });
  return It == Sums.end() ? nullptr : It;
}

void CarriedSums::print(raw_ostream &OS) const {
  for (const CarriedSum &Sum : Sums) {
    OS << "    loop " << operandName(Sum.L->getHeader()) << "  carries the adjoints of";
    for (const CarriedSum::Member &M : Sum.Members)
      OS << ' ' << operandName(M.Load) << " +" << M.Delay;
    OS << (Sum.isOfOneElement() ? "  (the same element in each iteration)\n"
                                : "  (neighbours of one another)\n");
  }
  for (const CarriedSum &Sum : Left)
    OS << "    loop " << operandName(Sum.L->getHeader()) << "  adds the adjoints of "
       << operandName(Sum.furthestAhead()) << (Sum.isOfOneElement() ? "" : " and its neighbours")
       << " at once  (as the file of plans says)\n";
}

/// May the shadow that \p Load adds to be the one that \p Other, a store of the loop, takes from?
static bool mayMeet(const MemoryAvailability &Memory, const CarriedSum &Sum, const LoadInst &Load,
                    const StoreInst &Other) {
  const Value *Added = getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0);
  const Value *Taken = getUnderlyingObject(Other.getPointerOperand(), /*MaxLookup=*/0);
  // Those of different iterations would be compared else.
  return !Sum.L->isLoopInvariant(Added) || !Sum.L->isLoopInvariant(Taken) ||
         !Memory.areDifferent(Added, Taken);
}

static SmallVector<Instruction *, 32> instructionsOf(const Loop &L) {
  SmallVector<Instruction *, 32> All;
  for (BasicBlock *BB : L.blocks())
    append_range(All, make_pointer_range(*BB));
  return All;
}

/// Null if nothing in the reverse of \p Sum's loop notices when a share is added.
static const char *whyNoticed(const DerivativePlan &Plan, const CarriedSum &Sum,
                              const MemoryAvailability &Memory) {
  for (Instruction *I : instructionsOf(*Sum.L)) {
    const Step &Todo = Plan.Steps.at(*I);
    switch (Todo.Adjoint) {
    case AdjointStep::Nothing:
    case AdjointStep::HandOn:
    case AdjointStep::Rule:
    case AdjointStep::Pass:
    case AdjointStep::Choose:
    case AdjointStep::PutBack:
    case AdjointStep::Load:
      break;
    case AdjointStep::Store:
      if (Todo.Shadow != ShadowReach::Direct)
        return "with a store to memory that may be its own shadow";
      for (const CarriedSum::Member &M : Sum.Members)
        if (mayMeet(Memory, Sum, *M.Load, cast<StoreInst>(*I)))
          return "with a store that may be to the same memory";
      break;
    default:
      return "that does more than loads, stores and arithmetic";
    }
  }
  return nullptr;
}

/// Do two loads lie as far apart as \p Sum says? True where that cannot be computed.
static bool liesThere(ScalarEvolution &SE, const CarriedSum &Sum, const CarriedSum::Member &M) {
  const SCEV *First = SE.getSCEV(Sum.withDelay(0)->getPointerOperand());
  const SCEV *This = SE.getSCEV(M.Load->getPointerOperand());
  std::optional<APInt> Bytes = SE.computeConstantDifference(First, This);
  return !Bytes || Bytes->getSExtValue() == -Sum.pendingAt(M.Delay);
}

/// Does the reverse of \p Load add its adjoint to memory, and nothing else?
static bool isJustAdded(const DerivativePlan &Plan, const LoadInst &Load) {
  const Step &Todo = Plan.Steps.at(Load);
  return Todo.Adjoint == AdjointStep::Load && Todo.Shadow == ShadowReach::Direct &&
         !isAtomic(Todo.Sum) && Todo.Why != StepReason::OtherThreads && Load.isSimple() &&
         Todo.Moved == Load.getType() && Todo.Moved->isFloatingPointTy();
}

static const char *whyNotOfOneElement(const DerivativePlan &Plan, const CarriedSum &Sum) {
  LoadInst *Load = Sum.withDelay(0);
  const PreparedFunction &P = Plan.P;
  if (Sum.Members.size() != 1 || P.loops().getLoopFor(Load->getParent()) != Sum.L)
    return "with neighbours that do not move";
  // Behind a way out it may be that no iteration reads it.
  SmallVector<BasicBlock *, 4> Exiting;
  Sum.L->getExitingBlocks(Exiting);
  auto comesAfter = [&](BasicBlock *BB) { return P.dominators().dominates(Load->getParent(), BB); };
  if (!Sum.L->getLoopLatch() || !comesAfter(Sum.L->getLoopLatch()) || !all_of(Exiting, comesAfter))
    return "that does not read the element in each iteration";
  ScalarEvolution &SE = P.scalarEvolution();
  return SE.isLoopInvariant(SE.getSCEV(Load->getPointerOperand()), Sum.L)
             ? nullptr
             : "that reads another element in each iteration";
}

const char *whyNotCarried(const DerivativePlan &Plan, const CarriedSum &Sum) {
  const Loop *L = Sum.L;
  if (!L->getLoopPreheader() ||
      (!Sum.isOfOneElement() && (L->getNumBlocks() != 1 || !L->getExitingBlock())))
    return "of more than one block";
  if (Plan.Fused.find(L))
    return "that runs forwards in the reverse sweep";
  if (Plan.Chosen.find(L))
    return "of which one iteration is reversed";
  for (const CarriedSum::Member &M : Sum.Members)
    if (!isJustAdded(Plan, *M.Load))
      return "with a load whose share is not just added";
  if (Sum.isOfOneElement())
    return whyNotOfOneElement(Plan, Sum);
  for (const CarriedSum::Member &M : Sum.Members) {
    if (M.Load->getParent() != L->getHeader())
      return "with a load that is not in its only block";
    if (M.Delay > MostDelay)
      return "with neighbours that are far apart";
  }
  if (Sum.elements() < 2 || !Sum.withDelay(0))
    return "without neighbours";
  for (unsigned Delay = 0; Delay <= Sum.longestDelay(); ++Delay)
    if (unsigned Before = Sum.readBefore(Delay);
        Before >= MostDistance || (Before && !Plan.P.canonical(L).LastIV))
      return "without a load for each neighbour";
  for (const CarriedSum::Member &M : Sum.Members)
    if (!liesThere(Plan.P.scalarEvolution(), Sum, M))
      return "whose neighbours lie somewhere else";
  return nullptr;
}

namespace {

/// Loads of elements of one object, or of one member of its records, constants apart.
struct Group {
  const SCEV *Base, *At, *Index; ///< Of the first one.
  Type *T;
  int64_t Step;                                         ///< In bytes.
  SmallVector<std::pair<LoadInst *, int64_t>, 4> Loads; ///< Each with its distance in steps.
};

} // namespace

static std::optional<int64_t> constantStep(ScalarEvolution &SE, const Loop *L, const SCEV *S) {
  auto *Moving = dyn_cast_or_null<SCEVAddRecExpr>(S);
  auto *By = Moving && Moving->getLoop() == L && Moving->isAffine()
                 ? dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE))
                 : nullptr;
  if (!By)
    return std::nullopt;
  return By->getAPInt().getSExtValue();
}

static void addToGroup(ScalarEvolution &SE, const Loop *L, LoadInst &Load,
                       SmallVectorImpl<Group> &Groups) {
  if (!Load.getType()->isFloatingPointTy())
    return;
  const SCEV *At = SE.getSCEV(Load.getPointerOperand()), *Base = SE.getPointerBase(At);
  int64_t Size = Load.getDataLayout().getTypeAllocSize(Load.getType()).getFixedValue();
  const SCEV *Index = inElements(SE, SE.removePointerBase(At), Size);
  std::optional<int64_t> Step = constantStep(SE, L, At);
  if (!Step && isShortIndex(At))
    if (std::optional<int64_t> Elements = constantStep(SE, L, Index))
      Step = *Elements * Size;
  if (!Index || !Step || std::abs(*Step) < Size || std::abs(*Step) > MostStep)
    return;
  const int64_t Each = std::abs(*Step);
  for (Group &G : Groups) {
    if (G.T != Load.getType() || G.Step != *Step || G.Base != Base)
      continue;
    std::optional<int64_t> Bytes;
    if (std::optional<APInt> Known = SE.computeConstantDifference(At, G.At))
      Bytes = Known->getSExtValue();
    else if (isShortIndex(At) || isShortIndex(G.At))
      if (std::optional<APInt> Elements = SE.computeConstantDifference(Index, G.Index))
        Bytes = Elements->getSExtValue() * Size;
    if (Bytes && *Bytes % Each == 0) { // Not another member of the same records.
      G.Loads.push_back({&Load, *Bytes / Each});
      return;
    }
  }
  Groups.push_back({Base, At, Index, Load.getType(), *Step, {{&Load, 0}}});
}

/// Where the reverse sweep comes to the last iteration first, the load that is furthest ahead adds
/// to an element when all others have; else the one that is furthest behind.
static CarriedSum sumOf(const Loop *L, const Group &G, bool Rises) {
  CarriedSum Sum;
  Sum.L = L;
  Sum.Rises = Rises;
  Sum.Step = G.Step;
  const int64_t Towards = Rises == (G.Step > 0) ? -1 : 1;
  int64_t Ahead = G.Loads.front().second / Towards;
  for (auto &[Load, Distance] : G.Loads)
    Ahead = std::max(Ahead, Distance / Towards);
  for (auto &[Load, Distance] : G.Loads)
    Sum.Members.push_back(
        {Load, unsigned(std::min<int64_t>(Ahead - Distance / Towards, MostDelay + 1))});
  return Sum;
}

/// Are sums carried at all?
static bool mayCarry(const DerivativePlan &Plan) {
  return Plan.P.returnBlock() && options().Apart && mayReorder(Plan);
}

/// Loads of \p G that are near each other. A row of constant length has those of the next rows at
/// constant distances, too.
static SmallVector<Group, 4> near(const Group &G) {
  SmallVector<int64_t, 4> Distances;
  for (auto &[Load, Distance] : G.Loads)
    Distances.push_back(Distance);
  llvm::sort(Distances);
  SmallVector<std::pair<int64_t, int64_t>, 4> Ranges;
  for (int64_t Next : Distances)
    if (Ranges.empty() || Next - Ranges.back().second > int64_t(MostDistance) ||
        Next - Ranges.back().first > int64_t(MostDelay))
      Ranges.push_back({Next, Next});
    else
      Ranges.back().second = Next;
  SmallVector<Group, 4> Parts;
  for (auto [First, Last] : Ranges) {
    Group Part = G;
    erase_if(Part.Loads,
             [&](const auto &Each) { return Each.second < First || Each.second > Last; });
    Parts.push_back(std::move(Part));
  }
  return Parts;
}

static SmallVector<Group, 4> groupsOf(const DerivativePlan &Plan, const Loop *L) {
  SmallVector<Group, 4> Groups;
  for (Instruction &I : *L->getHeader())
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Plan.Steps.at(I).Adjoint == AdjointStep::Load)
      addToGroup(Plan.P.scalarEvolution(), L, *Load, Groups);
  SmallVector<Group, 4> Near;
  for (const Group &G : Groups)
    append_range(Near, near(G));
  return Near;
}

/// Elements that each iteration of \p L reads.
static SmallVector<CarriedSum, 4> singleElements(const DerivativePlan &Plan, const Loop *L) {
  SmallVector<CarriedSum, 4> Sums;
  for (Instruction *I : instructionsOf(*L)) {
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || Plan.Steps.at(*I).Adjoint != AdjointStep::Load)
      continue;
    CarriedSum Sum;
    Sum.L = L;
    Sum.Rises = Plan.Rising.contains(L);
    Sum.Members.push_back({Load, 0});
    if (Sums.size() < MostElements && !whyNotCarried(Plan, Sum))
      Sums.push_back(std::move(Sum));
  }
  return Sums;
}

CarriedSums findCarriedSums(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                            function_ref<bool(const LoadInst &)> AtOnce, RisingLoops &Rising) {
  CarriedSums Found;
  if (!mayCarry(Plan))
    return Found;
  for (const Loop *L : Plan.CFG->loops()) {
    if (L->getNumBlocks() != 1)
      continue;
    SmallVector<Group, 4> Carried;
    for (const Group &G : groupsOf(Plan, L))
      if (CarriedSum Sum = sumOf(L, G, /*Rises=*/false);
          G.Loads.size() > 1 && !whyNotCarried(Plan, Sum) && !whyNoticed(Plan, Sum, Memory)) {
        if (AtOnce(*Sum.furthestAhead()))
          Found.leave(std::move(Sum));
        else
          Carried.push_back(G);
      }
    // A loop that reads downwards has a reverse that reads upwards.
    SmallVector<const Loop *, 4> Nest;
    if (!Carried.empty() && all_of(Carried, [](const Group &G) { return G.Step > 0; }))
      Nest = findRisingNest(Plan, *L, Memory);
    Rising.add(Nest);
    for (const Group &G : Carried)
      Found.add(sumOf(L, G, /*Rises=*/!Nest.empty()));
  }
  for (const Loop *L : Plan.CFG->loops())
    for (CarriedSum &Sum : singleElements(Plan, L))
      if (!whyNoticed(Plan, Sum, Memory)) {
        if (AtOnce(*Sum.furthestAhead()))
          Found.leave(std::move(Sum));
        else
          Found.add(std::move(Sum));
      }
  return Found;
}

} // namespace isozyme
