//===- PlanBuilder.cpp - Take all decisions on a reverse derivative -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the prepared function, types, activity, call plans.
// Out: a DerivativePlan: reverse CFG, needs, keep decisions, tape layout.
// Never: emits IR.
//
//===----------------------------------------------------------------------===//
#include "Device/SharedMemory.h"
#include "Keep/UndoneStores.h"
#include "Steps/ReverseSteps.h"
#include "Tape/NeighbourSlots.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Keep/RecomputeGraph.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

class PlanBuilder {
public:
  PlanBuilder(DerivativePlan &Plan, const TypeResult &Types, const ActivityResult &Activity,
              const MemoryAvailability &Memory, CalleeQuery Query,
              function_ref<Type *(const CallPlan &)> TapeTypeOf, const PlanWishes &Wishes)
      : Plan(Plan), P(Plan.P), F{Plan.P, Plan.Request, Types, Activity, Plan.Calls}, Memory(Memory),
        Stored(P, Memory), Query(Query), TapeTypeOf(TapeTypeOf), Wishes(Wishes) {}

  Error build() {
    Expected<StepPlan> Steps = planReverseSteps(F, Plan.Late, Plan.Watches);
    if (!Steps)
      return Steps.takeError();
    Plan.Steps = std::move(*Steps);
    Plan.Scopes = ShadowScopes(P, Plan.Request, Plan.Steps,
                               [&](const Value &V) { return isLeft(Wishes.Shadows, V); });
    SmallVector<RefusedWish, 2> Refused;
    if (!Wishes.Computed.empty())
      Refused = applyWishes(P, Wishes.Computed, Plan.Steps);
    if (!Wishes.Stores.empty())
      append_range(Refused, refusedStores(P, Wishes.Stores, Plan.Late));
    if (!Wishes.Shadows.empty())
      append_range(Refused, refusedShadows(P, Wishes.Shadows, Plan.Scopes));
    Plan.CFG = std::make_unique<ReverseCFG>(P, [&](const Instruction &I) { return isReversed(I); });
    Plan.Chosen = findChosenIterations(Plan);
    collectNeeds();
    decide();
    append_range(Plan.Refused, Refused);
    Plan.Carried = findCarriedSums(
        Plan, Memory, [&](const LoadInst &Load) { return isLeft(Wishes.Sums, Load); }, Plan.Rising);
    Plan.Swapped = findSwappedLoops(Plan, Memory);
    Plan.Independent = findIndependentLoops(Plan, Memory);
    Plan.Unseen = findUnseenSums(Plan);
    if (!Wishes.Sums.empty())
      append_range(Plan.Refused, refusedSums(P, Wishes.Sums, Plan.Carried));
    Plan.Skips = findZeroSkips(Plan);
    if (!Wishes.Skips.empty())
      append_range(Plan.Refused, applyWishes(P, Wishes.Skips, Plan.Skips));
    noteReads();
    return Error::success();
  }

private:
  bool isReversed(const Instruction &I) const {
    return Plan.Steps.at(I).Adjoint != AdjointStep::Nothing;
  }
  /// Is it known what \p I has chosen, whenever it is reversed?
  bool isDecided(const Instruction &I) const {
    auto *Select = dyn_cast<SelectInst>(&I);
    const ChosenIteration *C = Select ? Plan.Chosen.of(Select) : nullptr;
    return C && C->alternative(*Select);
  }
  /// Is the first of two things wished for \p V, which is to do without the second?
  bool isLeft(const ChoiceWishes &Wishes, const Value &V) const {
    return !Wishes.empty() && wishesFirst(Wishes, NeedNames(P).nameOf(&V), NeedNames::lineOf(&V));
  }
  void collectNeeds();
  void controlNeeds();
  void decide();
  void choose();
  void fuse();
  void undo();
  void shareSlots(ArrayRef<Need> Order);
  void placeWrite(const Need &N, KeepDecision &D);
  void settle(const RecomputeGraph &G, const SetVector<Need> &Kept, const Need &N);
  bool keepPointees();
  void noteReads();
  /// \p Reader: the instruction whose reverse reads it; null: others do, or in other places, too.
  void add(const Need &N, const NeedConsumer &Consumer, const Instruction *Reader = nullptr) {
    if (isa<ConstantData>(N.V))
      return;
    Plan.Needs.insert({N, Consumer});
    Readers[N].push_back(Reader);
  }

  DerivativePlan &Plan;
  const PreparedFunction &P;
  const ReverseFacts F;
  const MemoryAvailability &Memory;
  const StoredValues Stored;
  CalleeQuery Query;
  function_ref<Type *(const CallPlan &)> TapeTypeOf;
  const PlanWishes &Wishes;
  NeedReaders Readers;
  UndoChoices Undo;
};

} // namespace

void PlanBuilder::collectNeeds() {
  Plan.Needs.clear();
  Readers.clear();
  for (BasicBlock &BB : P.function()) {
    if (!Plan.CFG->contains(&BB))
      continue;
    for (Instruction &I : BB) {
      if (!isReversed(I) || isDecided(I))
        continue;
      NeedConsumer Consumer =
          I.getType()->isVoidTy() ? NeedConsumer{I.getOpcodeName(), nullptr} : NeedConsumer{"", &I};
      needsOf(P, Plan.Calls, Plan.Steps, I, Query, [&](Need N) { add(N, Consumer, &I); });
      if (const WatchedPlace *Place = Plan.Watches.access(&I))
        add({Place->Base, Part::Shadow}, {"watch of ", Place->Base});
    }
  }
  controlNeeds();
}

/// Which way to go back, and from which iteration.
void PlanBuilder::controlNeeds() {
  for (auto &[BB, Step] : Plan.CFG->steps()) {
    if (Step.K == ReverseStep::Choose)
      add({P.cameFrom(BB), Part::Primal}, {"way back from ", BB});
    if (Step.K != ReverseStep::Choose && Step.K != ReverseStep::Single)
      continue;
    for (BasicBlock *Pred : P.predecessorsOf(BB))
      for (const Loop *L : ReverseCFG::loopsLeft(P, Pred, BB))
        if (const ChosenIteration *C = Plan.Chosen.find(L))
          add({C->Last, Part::Primal}, {"chosen iteration of ", L->getHeader()});
        else if (!Plan.Fused.find(L))
          add({P.lastIV(L, BB), Part::Primal}, {"last iteration of ", L->getHeader()});
  }
  // Slots of nested arrays are addressed by the trip counts of the inner loops.
  for (const Loop *L : Plan.CFG->loops())
    if (Value *Last = P.canonical(L).LastIV; Last && !Plan.Fused.find(L))
      add({Last, Part::Primal}, {"trip count of ", L->getHeader()});
  for (const FusedLoop &F : Plan.Fused.loops())
    for (Value *Input : F.inputs(P))
      add({Input, Part::Primal}, {"iterations of ", F.L->getHeader()});
}

static KeepDecision::Kind againOf(const RecomputeNode &Node) {
  switch (Node.K) {
  case RecomputeNode::Free:
    return KeepDecision::Available;
  case RecomputeNode::Compute:
    return KeepDecision::Recompute;
  case RecomputeNode::Reload:
    return KeepDecision::Reload;
  case RecomputeNode::Fixed:
    return KeepDecision::Cache;
  }
  llvm_unreachable("complete switch");
}

void PlanBuilder::settle(const RecomputeGraph &G, const SetVector<Need> &Kept, const Need &Root) {
  SmallVector<Need, 16> Worklist = {Root};
  while (!Worklist.empty()) {
    Need N = Worklist.pop_back_val();
    if (Plan.Keep.count(N))
      continue;
    const RecomputeNode &Node = G.find(N)->second;
    KeepDecision D;
    D.Reason = Node.Reason;
    D.Again = againOf(Node);
    D.Undone = Node.Undone;
    if (Kept.contains(N)) {
      D.K = KeepDecision::Cache;
      D.Undone.clear();
      // Of what could be undone, what overwrites it is said.
      if (Node.K != RecomputeNode::Fixed && !Node.Dear && !Node.MustKeep && Node.Undone.empty())
        D.Reason = "cheaper than what it is computed from";
    } else if (Node.K == RecomputeNode::Compute || Node.K == RecomputeNode::Reload) {
      D.K = D.Again;
      if (auto *Load = dyn_cast<LoadInst>(N.V); Load && D.K == KeepDecision::Recompute)
        D.From = Stored.of(*Load);
      if (!D.Undone.empty() && !Node.MustCompute)
        D.Reason = "what overwrites it is undone";
      append_range(Worklist, reverse(Node.Operands));
    }
    Plan.Keep.insert({N, D});
  }
}

/// What the addresses point to that the reverse half has from the tape.
static SmallSetVector<const Value *, 8> pointeesOf(const PreparedFunction &P, const Need &N) {
  SmallVector<const Value *, 4> Objects;
  if (N.P != Part::Tape && N.V->getType()->isPtrOrPtrVectorTy())
    getUnderlyingObjects(N.V, Objects, &P.loops(), /*MaxLookup=*/0);
  return {Objects.begin(), Objects.end()};
}

/// Memory of this activation that kept addresses point to must outlive the forward
/// half: its own address is then kept too, which puts it on the heap. Addresses that
/// come out of memory, or lie in the tape of a callee, may be all that were stored.
/// Returns whether there are new needs.
bool PlanBuilder::keepPointees() {
  SmallSetVector<Need, 8> Missing;
  bool ThroughMemory = false;
  for (auto &[N, D] : Plan.Keep) {
    ThroughMemory |= N.P == Part::Tape;
    for (const Value *Object : pointeesOf(P, N)) {
      if (!isa<AllocaInst>(Object))
        ThroughMemory |= !isa<Argument, Constant>(Object) && !isNoAliasCall(Object);
      else if (D.K == KeepDecision::Cache)
        Missing.insert({const_cast<Value *>(Object), N.P});
    }
  }
  for (Instruction &I : instructions(P.function()))
    if (ThroughMemory && isa<AllocaInst>(I) && PointerMayBeCaptured(&I, /*ReturnCaptures=*/false)) {
      Missing.insert({&I, Part::Primal});
      if (Plan.Steps.of(&I).Shadow == ShadowForm::Made)
        Missing.insert({&I, Part::Shadow});
    }
  bool Added = false;
  for (const Need &N : Missing)
    if (!Plan.Keep.count(N)) {
      add(N, {"addresses that are kept"});
      Added = true;
    }
  return Added;
}

/// On a GPU operations are cheap, and a thread has little memory.
static KeepPolicy policyFor(const PreparedFunction &P) {
  KeepPolicy Asked = options().Keep;
  bool IsDevice = acceleratorOf(*P.original().getParent());
  return IsDevice && Asked == KeepPolicy::Plan ? KeepPolicy::Recompute : Asked;
}

void PlanBuilder::choose() {
  do {
    Plan.Keep.clear();
    RecomputeGraph G = buildRecomputeGraph(
        {P, Plan.Request, Plan.Calls, Plan.Steps, Memory, Stored, &Undo}, Plan.Needs, policyFor(P));
    if (!Wishes.Keep.empty())
      Plan.Refused = applyWishes(P, Wishes.Keep, G);
    SetVector<Need> Kept = chooseKept(G, Plan.Needs);
    for (auto &[N, Consumer] : Plan.Needs)
      settle(G, Kept, N);
  } while (Plan.Request.isSplit() && keepPointees());
}

/// What is kept of the other loops may change with each that is fused, and is chosen anew.
void PlanBuilder::fuse() {
  Plan.Fused = findFusedLoops(Plan, Memory, Stored, Wishes.Loops);
  bool Open = !Plan.Fused.loops().empty();
  while (Open) {
    collectNeeds();
    choose();
    const auto *Bad = find_if(Plan.Fused.loops(),
                              [&](const FusedLoop &L) { return whyNotFused(Plan, L) != nullptr; });
    Open = Bad != Plan.Fused.loops().end();
    if (Open)
      Plan.Fused.remove(Bad->L, whyNotFused(Plan, *Bad));
  }
  for (const FusedLoop &L : Plan.Fused.loops())
    Plan.Tape.keepOneIterationOf(L.L);
}

/// Values that have to be kept may be loaded again instead, if stores are undone.
void PlanBuilder::undo() {
  if (!mayUndo(Plan) || policyFor(P) == KeepPolicy::Cache)
    return;
  RecomputeGraph G = buildRecomputeGraph(
      {P, Plan.Request, Plan.Calls, Plan.Steps, Memory, Stored, &Undo}, Plan.Needs, policyFor(P));
  Undo = findUndoChoices(Plan, Memory, G, Readers);
  if (!Undo.empty())
    choose();
}

/// Loads of neighbours in one array are kept in one.
void PlanBuilder::shareSlots(ArrayRef<Need> Order) {
  if (policyFor(P) == KeepPolicy::Cache)
    return; // Each value, as asked.
  SmallVector<LoadInst *, 8> Kept;
  for (const Need &N : Order)
    if (auto *Load = dyn_cast<LoadInst>(N.V); Load && N.P == Part::Primal)
      Kept.push_back(Load);
  for (const NeighbourSlot &Found : findNeighbourSlots(P, Kept, Memory)) {
    Need First{Found.Members.front().Load, Part::Primal};
    LoopHalo Halo;
    for (auto [Number, L] : enumerate(Found.Nest))
      if (unsigned More = Found.haloOf(Number))
        Halo[L] = More;
    std::optional<unsigned> Slot = Plan.Tape.addShared(
        P, First, First.V->getType(), Found.Nest.back(), !Plan.Request.isSplit(), Halo);
    if (!Slot)
      continue;
    ArrayRef<const Loop *> Group = Plan.Tape.regions()[Plan.Tape.slots()[*Slot].Region].Group;
    for (const NeighbourSlot::Member &M : Found.Members) {
      KeepDecision &D = Plan.Keep[{M.Load, Part::Primal}];
      D.Slot = *Slot;
      D.Write = M.Write;
      for (const Loop *L : Group) {
        const auto *At = find(Found.Nest, L);
        D.Place.push_back(At == Found.Nest.end() ? 0 : M.At[At - Found.Nest.begin()]);
      }
    }
  }
}

/// LLVM makes vectors of a loop that hands on a value only if nothing that it cannot move, such as
/// a write to the tape, uses the value in front of the next one.
void PlanBuilder::placeWrite(const Need &N, KeepDecision &D) {
  const TapeRegion &R = Plan.Tape.regions()[Plan.Tape.slots()[D.Slot].Region];
  if (N.P == Part::Primal && R.Shape == TapeShape::Array && !R.OneIteration &&
      nextOf(P.loops(), N.V))
    D.Write = SlotWrite::WithNext;
}

void PlanBuilder::decide() {
  choose();
  fuse();
  undo();
  append_range(Plan.Refused, refusedLoops(Plan, Wishes.Loops));
  // Slots in program order, so that plans read well and are deterministic.
  SmallVector<Need, 8> Order;
  for (auto &[N, D] : Plan.Keep)
    if (D.K == KeepDecision::Cache)
      Order.push_back(N);
  llvm::sort(Order, [&](const Need &A, const Need &B) {
    return std::pair(P.numberOf(A.V), A.P) < std::pair(P.numberOf(B.V), B.P);
  });
  shareSlots(Order);
  for (const Need &N : Order) {
    if (Plan.Keep[N].Slot >= 0)
      continue;
    auto *I = cast<Instruction>(N.V);
    Type *Tape = nullptr;
    if (N.P == Part::Tape)
      Tape = TapeTypeOf(Plan.Calls.find(cast<CallBase>(I))->second);
    KeepDecision &D = Plan.Keep[N];
    D.Slot = Plan.Tape.add(
        P, N, keptType(P, N, Plan.Request, Tape), P.loops().getLoopFor(I->getParent()),
        !Plan.Request.isSplit(),
        [&](const LoadInst &Read, const Loop &In) { return Memory.mayChangeIn(Read, In); });
    placeWrite(N, D);
  }
  // A kernel has no memory for tapes unless the user declares some.
  if (Plan.Request.isSplit() && !acceleratorOf(*P.original().getParent()))
    Plan.Tape.boxIfWide();
  Plan.Locals = findLocalBlock(Plan);
}

void PlanBuilder::noteReads() {
  unsigned Count = P.function().arg_size();
  Plan.Reads.Primal.resize(Count);
  Plan.Reads.Shadow.resize(Count);
  for (auto &[N, D] : Plan.Keep) {
    auto &Read = N.P == Part::Primal ? Plan.Reads.Primal : Plan.Reads.Shadow;
    if (auto *A = dyn_cast<Argument>(N.V))
      Read.set(A->getArgNo());
    // A kept address is used without the argument, but the memory must be there.
    for (const Value *Object : pointeesOf(P, N))
      if (auto *A = dyn_cast<Argument>(Object))
        Read.set(A->getArgNo());
  }
  Plan.Reads.HasTape = !Plan.Tape.empty();
}

bool mayReorder(const DerivativePlan &Plan) {
  const Function &User = Plan.P.original();
  return options().Order == AdjointOrder::Any && Plan.Watches.empty() &&
         !User.hasFnAttribute(UnoptimisedMark) && !acceleratorOf(*User.getParent());
}

Expected<std::unique_ptr<DerivativePlan>>
planReverse(const PreparedFunction &P, const DiffRequest &R, const TypeResult &Types,
            const ActivityResult &Activity, CallPlanSet Calls, UnreadMemory Unread, LateStores Late,
            const MemoryAvailability &Memory, CalleeQuery Query,
            function_ref<Type *(const CallPlan &)> TapeTypeOf, const PlanWishes &Wishes) {
  auto Plan =
      std::make_unique<DerivativePlan>(P, R, std::move(Calls), std::move(Unread), std::move(Late));
  append_range(Plan->Globals, Activity.globals());
  Plan->WaitsForBlock = meetsBlock(P);
  Plan->Tape = TapeLayout(memoryOfTape(P, R));
  Plan->Watches = findWatches(P, Activity);
  if (Error E = PlanBuilder(*Plan, Types, Activity, Memory, Query, TapeTypeOf, Wishes).build())
    return std::move(E);
  if (Error E = checkForDevice(*Plan))
    return std::move(E);
  return std::move(Plan);
}

} // namespace isozyme
