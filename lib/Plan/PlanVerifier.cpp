//===- PlanVerifier.cpp - Is a reverse plan sound? ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what emission relies on: every need has one decision, a computed value
// has decisions for its operands, each slot is written by one value and lies in
// a region of that value's loops, the reverse CFG ends at the entry, and no step contradicts
// itself.
//
//===----------------------------------------------------------------------===//
#include "Keep/UndoneStores.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {

class PlanVerifier {
public:
  PlanVerifier(const DerivativePlan &Plan, raw_ostream *OS) : Plan(Plan), OS(OS) {}

  bool broken() {
    for (auto &[N, Consumer] : Plan.Needs)
      if (!Plan.decisionFor(N))
        complain(N, "has no decision");
    for (auto &[N, D] : Plan.Keep)
      checkDecision(N, D);
    checkSlots();
    checkFused();
    checkChosen();
    checkCarried();
    checkSwapped();
    checkIndependent();
    checkUnseen();
    checkSkips();
    checkMemory();
    checkLocals();
    checkReverse();
    checkLate();
    checkSteps();
    Broken |= Plan.Versions && verifyVersions(Plan, OS);
    return Broken;
  }

private:
  void complain(const Need &N, const Twine &What) {
    Broken = true;
    if (!OS)
      return;
    printNeed(*OS, N);
    *OS << ' ' << What << '\n';
  }
  void complain(const Twine &What) {
    Broken = true;
    if (OS)
      *OS << What << '\n';
  }
  void checkDecision(const Need &N, const KeepDecision &D);
  void checkUndone(const Need &N, const KeepDecision &D);
  void checkStored(const Need &N, const StoredValue &From);
  void checkSlots();
  void checkWrite(const Need &N, const KeepDecision &D);
  void checkShared(const Need &N, const KeepDecision &D);
  void checkFused();
  void checkChosen();
  void checkCarried();
  void checkSwapped();
  void checkIndependent();
  void checkUnseen();
  void checkSkips();
  void checkMemory();
  void checkLocals();
  void checkReverse();
  void checkLate();
  void checkSteps();

  const DerivativePlan &Plan;
  raw_ostream *OS;
  bool Broken = false;
};

} // namespace

/// What is loaded again once stores are undone.
void PlanVerifier::checkUndone(const Need &N, const KeepDecision &D) {
  if (N.P == Part::Overwritten) {
    auto *S = cast<StoreInst>(N.V);
    if (D.K != KeepDecision::Cache)
      complain(N, "is not kept");
    if (!mayUndo(Plan))
      complain(N, "is put back in a derivative that may not");
    if (const char *Why = whyNotUndone(Plan, *S))
      complain(N, Twine("is put back, but it is a store ") + Why);
    if (!isa<Constant>(S->getPointerOperand()) &&
        !Plan.decisionFor({S->getPointerOperand(), Part::Primal}))
      complain(N, "is put back to an address that has no decision");
  }
  if (!D.Undone.empty() && (D.K != KeepDecision::Reload || !isa<LoadInst>(N.V)))
    complain(N, "waits for stores to be undone, but is not loaded again");
  for (StoreInst *S : D.Undone)
    if (!Plan.decisionFor({S, Part::Overwritten}))
      complain(N, "is loaded again, but a store that overwrites it is not undone");
}

void PlanVerifier::checkDecision(const Need &N, const KeepDecision &D) {
  checkUndone(N, D);
  if (D.K == KeepDecision::Cache) {
    if (D.Slot < 0 || unsigned(D.Slot) >= Plan.Tape.slots().size())
      complain(N, "is kept without a slot");
    else if (!D.Place.empty())
      checkShared(N, D);
    else if (!(Plan.Tape.slots()[D.Slot].Key == N))
      complain(N, "is kept in the slot of another value");
    else
      checkWrite(N, D);
    return;
  }
  if (D.Slot >= 0)
    complain(N, "has a slot but is not kept");
  if (D.K == KeepDecision::Available)
    return;
  auto *I = dyn_cast<Instruction>(N.V);
  if (!I)
    return complain(N, "is to be computed but is no instruction");
  if (isa<PHINode, AllocaInst>(I) ||
      (isa<LoadInst>(I) && D.K == KeepDecision::Recompute && !D.From))
    return complain(N, "cannot be computed again");
  if (D.From)
    return checkStored(N, *D.From);
  for (Value *Operand : I->operands()) {
    if (isa<Constant, BasicBlock, MetadataAsValue>(Operand))
      continue;
    bool Shadow = N.P == Part::Shadow && containsPointer(Operand->getType());
    if (N.P == Part::Shadow && !Shadow && isa<InsertValueInst>(I))
      continue;
    if (!Plan.decisionFor({Operand, Shadow ? Part::Shadow : Part::Primal}))
      complain(N, "is computed from " + operandName(Operand) + ", which has no decision");
  }
}

void PlanVerifier::checkStored(const Need &N, const StoredValue &From) {
  Value *Stored = From.Store->getValueOperand();
  if (!isa<Constant>(Stored) && !Plan.decisionFor({Stored, Part::Primal}))
    complain(N, "is had as " + operandName(Stored) + ", which has no decision");
  const Loop *Writes = Plan.P.loops().getLoopFor(From.Store->getParent());
  const Instruction *Load = cast<Instruction>(N.V);
  if (From.Reads ? From.Writes != Writes || Writes->contains(Load) || !From.Reads->contains(Load)
                 : Writes && !Writes->contains(Load))
    complain(N, "is had from an iteration that is not known");
}

/// When a value that has an array for itself is written.
void PlanVerifier::checkWrite(const Need &N, const KeepDecision &D) {
  if (D.Write == SlotWrite::Each)
    return;
  const TapeRegion &R = Plan.Tape.regions()[Plan.Tape.slots()[D.Slot].Region];
  if (D.Write != SlotWrite::WithNext)
    complain(N, "is left to be written by neighbours, but shares no array");
  else if (N.P != Part::Primal || R.Shape != TapeShape::Array || R.OneIteration ||
           !nextOf(Plan.P.loops(), N.V))
    complain(N, "is written behind a next one that there is not");
}

/// One of the loads that share an array.
void PlanVerifier::checkShared(const Need &N, const KeepDecision &D) {
  const TapeSlot &S = Plan.Tape.slots()[D.Slot];
  const TapeRegion &R = Plan.Tape.regions()[S.Region];
  auto *Load = dyn_cast<LoadInst>(N.V), *First = dyn_cast_or_null<LoadInst>(S.Key.V);
  if (!Load || !First || N.P != Part::Primal || Load->getType() != First->getType() ||
      Plan.P.loops().getLoopFor(Load->getParent()) != Plan.P.loops().getLoopFor(First->getParent()))
    return complain(N, "shares an array with something else than neighbours");
  if (R.Shape != TapeShape::Array || R.Repeats || D.Place.size() != R.Group.size())
    return complain(N, "shares what is no array of its loops");
  for (auto [Place, L] : zip(D.Place, R.Group))
    if (Place > R.haloOf(L))
      complain(N, "lies outside of the array that it shares");
  if (D.Write == SlotWrite::Each)
    return;
  if (D.Write == SlotWrite::WithNext)
    return complain(N, "shares an array, and is written behind the next one");
  const Loop *L = R.Group.back();
  if (L->getNumBlocks() != 1 || !L->getUniqueExitBlock() ||
      !L->getUniqueExitBlock()->getSinglePredecessor())
    complain(N, "is not written in each iteration of a loop of many blocks");
  // Who writes the element in front of it, or the element itself?
  bool IsWritten = any_of(Plan.Keep, [&](const auto &Other) {
    const KeepDecision &O = Other.second;
    unsigned Back = D.Write == SlotWrite::Behind;
    return O.Slot == D.Slot && ArrayRef(O.Place).drop_back() == ArrayRef(D.Place).drop_back() &&
           O.Place.back() + Back == D.Place.back() && (Back || O.Write != SlotWrite::Never);
  });
  if (!IsWritten)
    complain(N, "is left to be written by a neighbour that is not there");
}

void PlanVerifier::checkSlots() {
  for (auto [Number, S] : enumerate(Plan.Tape.slots())) {
    const TapeRegion &R = Plan.Tape.regions()[S.Region];
    if (!is_contained(R.Slots, Number))
      complain("slot #" + Twine(Number) + " is not listed by its region");
    if (!S.Key.V) {
      if (S.BaseOf < 0 || Plan.Tape.regions()[S.BaseOf].BaseSlot != int(Number))
        complain("slot #" + Twine(Number) + " is the base of no region");
      continue;
    }
    const Loop *L = Plan.P.loops().getLoopFor(cast<Instruction>(S.Key.V)->getParent());
    const Loop *Innermost = R.Group.empty() ? nullptr : R.Group.back();
    bool OneIteration = Plan.Fused.around(Plan.P, S.Key.V);
    if (L != Innermost && !(OneIteration && !Innermost && Plan.Fused.find(L)))
      complain(S.Key, "lies in the region of another loop");
    if (R.Shape == TapeShape::Array &&
        any_of(R.Group, [&](const Loop *In) { return !Plan.P.canonical(In).LastIV; }))
      complain(S.Key, "lies in an array of unknown size");
    if (OneIteration && any_of(R.Group, [&](const Loop *In) { return Plan.Fused.find(In); }))
      complain(S.Key, "is kept for all iterations of a loop that keeps those of one");
    if (R.Repeats && (R.Shape != TapeShape::Array || R.Repeats == R.Group.front() ||
                      !R.Repeats->contains(R.Group.front())))
      complain(S.Key, "is said to be the same in a loop that is not around its own");
  }
}

void PlanVerifier::checkFused() {
  for (const FusedLoop &F : Plan.Fused.loops()) {
    std::string Which = "loop " + operandName(F.L->getHeader());
    if (const char *Why = whyNotFused(Plan, F))
      complain(Which + " runs in the reverse sweep only, but is one " + Why);
    for (Value *Input : F.inputs(Plan.P))
      if (!Plan.decisionFor({Input, Part::Primal}))
        complain(Which + " reads " + operandName(Input) + ", which has no decision");
  }
}

void PlanVerifier::checkChosen() {
  for (const ChosenIteration &C : Plan.Chosen.loops())
    if (const char *Why = whyNotChosen(Plan, C))
      complain("one iteration of loop " + operandName(C.L->getHeader()) +
               " is reversed, but it is a loop " + Why);
}

void PlanVerifier::checkCarried() {
  for (const CarriedSum &Sum : Plan.Carried.sums()) {
    if (const char *Why = whyNotCarried(Plan, Sum))
      complain("loop " + operandName(Sum.L->getHeader()) + " carries adjoints, but is one " + Why);
    if (Sum.Rises != Plan.Rising.contains(Sum.L))
      complain("loop " + operandName(Sum.L->getHeader()) +
               " carries adjoints in the other direction than it counts");
    for (const CarriedSum::Member &M : Sum.Members)
      if (Plan.Carried.find(*M.Load) != &Sum)
        complain({M.Load, Part::Primal}, "is in two sums that are carried");
  }
  for (const Loop *L : Plan.Rising.loops())
    if (const char *Why = whyNotRising(Plan, *L))
      complain("loop " + operandName(L->getHeader()) + " counts up, but is one " + Why);
}

void PlanVerifier::checkSwapped() {
  for (const SwappedNest &Nest : Plan.Swapped.nests())
    if (const char *Why = whyNotSwapped(Plan, Nest))
      complain("loop " + operandName(Nest.Inner->getHeader()) +
               " changes places with the one around it, but is one " + Why);
}

void PlanVerifier::checkIndependent() {
  for (const Loop *L : Plan.Independent.loops())
    if (const char *Why = whyNotIndependent(Plan, *L))
      complain("loop " + operandName(L->getHeader()) +
               " is said to touch other memory in each iteration, but is one " + Why);
}

void PlanVerifier::checkUnseen() {
  auto sees = [&](const User *U) {
    return isa<CmpInst, FPToSIInst, FPToUIInst, BitCastInst>(U) ||
           (isa<ReturnInst>(U) && Plan.Request.ReturnPrimal);
  };
  for (const UnseenSum &Sum : Plan.Unseen.sums())
    if (any_of(Sum.back()->users(), sees))
      complain(operandName(Sum.back()) + " is a sum in any order, but somebody sees its rounding");
}

void PlanVerifier::checkSkips() {
  for (const ZeroSkip &Skip : Plan.Skips.skips())
    if (const char *Why = whyNotSkipped(Plan, Skip))
      complain((Skip.L ? "loop " : "block ") + operandName(Skip.begin()) +
               " is tested for adjoints of zero, but is one " + Why);
}

void PlanVerifier::checkMemory() {
  for (const TapeRegion &R : drop_begin(Plan.Tape.regions())) {
    StringRef What = R.Shape == TapeShape::Growable ? "a table" : "an array";
    if (R.Memory == TapeMemory::Stack && Plan.Request.isSplit())
      complain(What + " on the stack of one half");
    if (R.SharedWith >= 0) {
      const TapeRegion &First = Plan.Tape.regions()[R.SharedWith];
      if (First.SharedWith >= 0 || First.Group != R.Group || First.Repeats != R.Repeats ||
          First.Memory != R.Memory)
        complain("an array in the block of one that is made elsewhere");
    }
    if (R.BaseSlot < 0 && (R.SharedWith < 0 || (!R.KnownCount && R.Group.size() > 1)))
      complain(What + " whose base is neither kept nor known");
    if (R.Memory == TapeMemory::Thread && Plan.Request.TapeOutlives)
      complain(What + " in memory of the thread may outlive the call");
  }
}

void PlanVerifier::checkLocals() {
  uint64_t End = 0;
  for (const LocalBlock::Member &M : Plan.Locals.members()) {
    const Need Local{M.Local, M.Which};
    if (const char *Why = whyApart(Plan, M.Local, M.Which))
      complain(Local, Twine("shares a block, but is one ") + Why);
    if (M.Local != Plan.Locals.first() && !Plan.Locals.first()->comesBefore(M.Local))
      complain(Local, "lies in a block that is made behind it");
    uint64_t Bytes = M.Local->getAllocationSize(M.Local->getDataLayout())->getFixedValue();
    uint64_t Lanes = M.Which == Part::Shadow ? Plan.Request.Width : 1;
    if (M.Offset < End || M.Stride < Bytes || M.Offset + Lanes * M.Stride > Plan.Locals.bytes())
      complain(Local, "has no room in the block that it shares");
    End = M.Offset + Lanes * M.Stride;
  }
}

void PlanVerifier::checkReverse() {
  if (!Plan.P.returnBlock())
    return;
  if (!Plan.CFG->contains(&Plan.P.function().getEntryBlock()))
    complain("the reverse sweep does not reach the entry");
  for (auto &[BB, Step] : Plan.CFG->steps()) {
    if (Step.K == ReverseStep::Choose && !Plan.P.cameFrom(BB))
      complain("no value says where control came from in " + operandName(BB));
    if (Step.Target && !Plan.CFG->contains(Step.Target))
      complain("the way back from " + operandName(BB) + " leads nowhere");
  }
}

void PlanVerifier::checkLate() {
  for (const StoreInst *S : Plan.Late.stores()) {
    std::string Which = "the store to " + operandName(S->getPointerOperand());
    if (Plan.Request.isSplit())
      complain(Which + " waits for a reverse sweep in another function");
    if (!S->isSimple() || !runsOnce(Plan.P, *S))
      complain(Which + " waits, although it does not run exactly once");
    if (is_contained(Plan.Unread.stores(), S))
      complain(Which + " waits, although it is left out");
  }
}

void PlanVerifier::checkSteps() {
  std::string Why;
  raw_string_ostream Text(Why);
  if (Plan.Steps.verify(Plan.P, Text) || Plan.Scopes.verify(Plan.P, Plan.Steps, Text))
    complain(Why);
  for (auto &[I, S] : Plan.Steps.steps())
    if (S.Adjoint != AdjointStep::Nothing && !Plan.CFG->contains(I->getParent()))
      complain(operandName(I) + " is reversed in a block that the reverse sweep steps over");
}

bool verifyPlan(const ForwardPlan &Plan, raw_ostream *OS) {
  raw_ostream &Out = OS ? *OS : nulls();
  return Plan.Steps.verify(Plan.P, Out) || Plan.Vectors.verify(Plan.P, Plan.Steps, Out);
}

bool verifyPlan(const DerivativePlan &Plan, raw_ostream *OS) {
  return PlanVerifier(Plan, OS).broken();
}

} // namespace isozyme
