//===- FusedLoops.cpp - Loops that run in the reverse sweep only ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold, and what follows from it:
//
//   each load reads memory that nothing writes from the loop   its value is the same in the
//   on, or scratch memory that its iteration has written       reverse sweep, in any iteration
//   each store goes to scratch memory: a block or local of     running it again changes nothing
//   this function that only the loop knows                     that anybody else reads
//   calls compute, nothing else                                nothing is done twice
//   what is carried from iteration to iteration is a sum,      adjoints do not go from an
//   or has no adjoint                                          iteration to an earlier one
//   what is computed from the results has a place after        the forward sweep can do
//   the reverse sweep, which does not read it                  without the loop
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/FusedLoops.h"
#include "Costs.h"
#include "ScratchMemory.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Ops/ErrnoCalls.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Keep/RecomputeGraph.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

BasicBlock *FusedLoop::latch() const { return L->getLoopLatch(); }
BasicBlock *FusedLoop::exit() const { return L->getExitBlock(); }

SmallVector<PHINode *, 4> FusedLoop::carried(const PreparedFunction &P) const {
  SmallVector<PHINode *, 4> Phis;
  for (PHINode &Phi : L->getHeader()->phis())
    if (&Phi != P.canonical(L).IV)
      Phis.push_back(&Phi);
  return Phis;
}

SmallSetVector<Value *, 16> FusedLoop::inputs(const PreparedFunction &P) const {
  SmallSetVector<Value *, 16> Inputs;
  auto isInput = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return isa<Argument>(V) || (I && !L->contains(I));
  };
  for (BasicBlock *BB : L->blocks())
    for (Instruction &I : *BB)
      for (Value *Operand : I.operands())
        if (isInput(Operand) && P.canonical(L).IV != &I)
          Inputs.insert(Operand);
  return Inputs;
}

const FusedLoop *FusedLoops::find(const Loop *L) const {
  const auto *It = llvm::find_if(Loops, [&](const FusedLoop &F) { return F.L == L; });
  return It == Loops.end() ? nullptr : It;
}

const FusedLoop *FusedLoops::around(const PreparedFunction &P, const Value *V) const {
  auto *I = dyn_cast_or_null<Instruction>(V);
  const Loop *L = I && !Loops.empty() ? P.loops().getLoopFor(I->getParent()) : nullptr;
  return L ? find(L->getOutermostLoop()) : nullptr;
}

bool FusedLoops::isLate(const Value *V) const {
  return any_of(Loops, [&](const FusedLoop &F) { return is_contained(F.Late, V); });
}

void FusedLoops::remove(const Loop *L, const char *WhyNot) {
  erase_if(Loops, [&](const FusedLoop &F) { return F.L == L; });
  for (LoopChoice &C : Choices)
    if (C.L == L)
      C.WhyNot = WhyNot;
}

void FusedLoops::print(raw_ostream &OS) const {
  for (const LoopChoice &C : Choices)
    if (C.ByFile && !find(C.L))
      OS << "    loop " << operandName(C.L->getHeader())
         << "  runs in both sweeps  (as the file of plans says)\n";
    else if (C.isLeftForCost() && !find(C.L))
      OS << "    loop " << operandName(C.L->getHeader())
         << "  runs in both sweeps, for that costs little  (keeping " << C.Keeping
         << ", an iteration " << C.Work << ")\n";
  for (const FusedLoop &F : Loops) {
    OS << "    loop " << operandName(F.L->getHeader())
       << "  runs in the reverse sweep only, each iteration before its adjoint  (independent";
    OS << (F.Late.empty() ? ")\n" : " but for sums)\n");
    for (const Instruction *I : F.Late)
      OS << "    " << operandName(I) << "  computed after the reverse sweep\n";
  }
}

/// Does this operation only compute? Then it may be done again, or later.
static bool onlyComputes(const Instruction &I, const PreparedFunction &P) {
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst,
          ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst,
          InsertValueInst, FreezeInst>(I))
    return true;
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || Call->isConvergent() || Call->isInlineAsm())
    return false;
  if (auto *II = dyn_cast<IntrinsicInst>(Call))
    return II->doesNotAccessMemory() && !II->mayHaveSideEffects() &&
           none_of(II->args(), [](const Use &U) { return U->getType()->isPointerTy(); });
  return writesErrnoAtMost(*Call, P.libraryInfo());
}

namespace {

class FusedSearch {
public:
  FusedSearch(const DerivativePlan &Plan, const MemoryAvailability &Memory,
              const StoredValues &Stored)
      : Plan(Plan), P(Plan.P), Memory(Memory), Stored(Stored) {}

  void forecast(LoopChoice &C) const;
  /// Completes \p F if it can run in the reverse sweep only; else says why it cannot.
  const char *whyNot(FusedLoop &F) {
    if (const char *Why = whyNotFused(Plan, F))
      return Why;
    if (!isIndependent(*F.L))
      return "whose iterations are not known to be independent";
    if (!sumsOnly(F))
      return "that carries more than sums from one iteration to the next";
    return findLate(F) ? nullptr : "whose results cannot wait for the reverse sweep";
  }

private:
  bool isIndependent(const Loop &L);
  bool isSum(PHINode &Phi, const FusedLoop &F) const;
  bool sumsOnly(FusedLoop &F) const;
  bool findLate(FusedLoop &F) const;
  bool canBeLate(Instruction &I, const FusedLoop &F,
                 const SmallSetVector<Instruction *, 8> &Late) const;
  bool isAtHand(const Value *V) const;

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  const MemoryAvailability &Memory;
  const StoredValues &Stored;
};

} // namespace

void FusedSearch::forecast(LoopChoice &C) const {
  for (auto &[N, D] : Plan.Keep) {
    auto *I = dyn_cast<Instruction>(N.V);
    if (!I || D.K != KeepDecision::Cache || !C.L->contains(I))
      continue;
    // A loop in which other parts are kept cannot be fused.
    uint64_t Bytes =
        N.P != Part::Primal
            ? 8
            : P.function().getDataLayout().getTypeAllocSize(keptType(P, N, Plan.Request, nullptr));
    C.Keeping += timesTrips(P, *I, CostOfSlot + CostPerByte * Bytes, C.L);
  }
  for (const BasicBlock *BB : C.L->blocks())
    for (const Instruction &I : *BB)
      if (!isa<PHINode>(I) && !I.isTerminator())
        C.Work += timesTrips(P, I, workOf(I), C.L);
}

bool FusedSearch::isIndependent(const Loop &L) {
  ScratchMemory Scratch(P, L, Stored);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (isa<PHINode, BranchInst, SwitchInst>(I) || onlyComputes(I, P))
        continue;
      if (auto *S = dyn_cast<StoreInst>(&I)) {
        if (!S->isSimple() || containsPointer(S->getValueOperand()->getType()) ||
            is_contained(Plan.Unread.stores(), S) || !Scratch.holds(S->getPointerOperand()))
          return false;
        continue;
      }
      if (auto *M = dyn_cast<MemSetInst>(&I); M && !M->isVolatile() &&
                                              Scratch.holds(M->getDest()) &&
                                              !Plan.Steps.bytesOf(*M).has(ByteRun::Addresses))
        continue;
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple())
        return false;
      // What is never overwritten may still be what an earlier iteration has written.
      if (Scratch.isWritten(Load->getPointerOperand()) ? !Scratch.isWrittenBefore(*Load)
                                                       : !Memory.of(*Load).isReloadable())
        return false;
    }
  return true;
}

/// Does the loop do nothing with \p Phi but add to it? Then its adjoint is that of the sum in
/// each iteration.
bool FusedSearch::isSum(PHINode &Phi, const FusedLoop &F) const {
  SmallSetVector<Instruction *, 8> Sums;
  Sums.insert(&Phi);
  Value *Next = Phi.getIncomingValueForBlock(F.latch());
  for (size_t At = 0; At < Sums.size(); ++At)
    for (User *U : Sums[At]->users()) {
      auto *I = cast<Instruction>(U);
      if (!F.L->contains(I)) {
        if (Sums[At] != Next)
          return false;
        continue;
      }
      if (I == &Phi)
        continue;
      bool Adds = I->getOpcode() == Instruction::FAdd ||
                  (I->getOpcode() == Instruction::FSub && I->getOperand(1) != Sums[At]);
      if (auto *II = dyn_cast<IntrinsicInst>(I))
        Adds = (II->getIntrinsicID() == Intrinsic::fmuladd ||
                II->getIntrinsicID() == Intrinsic::fma) &&
               II->getArgOperand(0) != Sums[At] && II->getArgOperand(1) != Sums[At];
      if (!Adds && !(isa<PHINode>(I) && I->getParent() != F.L->getHeader()))
        return false;
      Sums.insert(I);
    }
  // Each step of the sum takes the sum so far as one of its operands, once.
  for (Instruction *I : Sums) {
    if (I == &Phi)
      continue;
    auto isMember = [&](const Use &U) {
      auto *From = dyn_cast<Instruction>(U.get());
      return From && Sums.contains(From);
    };
    unsigned Members = count_if(I->operands(), isMember);
    if (isa<PHINode>(I) ? Members != cast<PHINode>(I)->getNumIncomingValues() : Members != 1)
      return false;
  }
  auto *Last = dyn_cast<Instruction>(Next);
  return Last && Sums.contains(Last);
}

bool FusedSearch::sumsOnly(FusedLoop &F) const {
  SmallPtrSet<const Value *, 4> Totals;
  for (PHINode *Phi : F.carried(P)) {
    if (containsPointer(Phi->getType()))
      return false; // Its shadow would have to go along.
    if (!Plan.Steps.of(Phi).Adjoint)
      continue;
    if (!isSum(*Phi, F) || !Totals.insert(Phi->getIncomingValueForBlock(F.latch())).second)
      return false;
  }
  for (BasicBlock *BB : F.L->blocks())
    for (Instruction &I : *BB) {
      bool IsResult =
          any_of(I.users(), [&](const User *U) { return !F.L->contains(cast<Instruction>(U)); });
      if (!IsResult)
        continue;
      // An adjoint that only the last iteration has would come too late: that iteration runs last.
      if (Plan.Steps.of(&I).Adjoint && !Totals.contains(&I))
        return false;
      F.Results.push_back(&I);
    }
  return true;
}

/// Is \p V the same at the end of the derivative as where it is computed?
bool FusedSearch::isAtHand(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || (!P.loops().getLoopFor(I->getParent()) &&
                P.dominators().dominates(I->getParent(), P.returnBlock()));
}

bool FusedSearch::canBeLate(Instruction &I, const FusedLoop &F,
                            const SmallSetVector<Instruction *, 8> &Late) const {
  auto isGood = [&](const Value *V) {
    auto *From = dyn_cast<Instruction>(V);
    return (From && Late.contains(const_cast<Instruction *>(From))) || isAtHand(V);
  };
  // Only the reverse loop, which a fused loop does without, asks for the last iteration.
  bool IsLast = &I == P.lastIV(F.L, F.exit());
  if (containsPointer(I.getType()) || (!IsLast && Plan.decisionFor({&I, Part::Primal})))
    return false;
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (Phi->getParent() == F.exit())
      return Phi->getNumIncomingValues() == 1 && isa<Instruction>(Phi->getIncomingValue(0)) &&
             F.L->contains(cast<Instruction>(Phi->getIncomingValue(0)));
    const Value *From = P.cameFrom(Phi->getParent());
    auto *Chosen = dyn_cast_or_null<Instruction>(From);
    return isAtHand(Phi) && From && isAtHand(From) &&
           !(Chosen && Late.contains(const_cast<Instruction *>(Chosen))) &&
           P.predecessorsOf(Phi->getParent()).size() == Phi->getNumIncomingValues() &&
           all_of(Phi->incoming_values(), [&](const Use &U) { return isGood(U.get()); });
  }
  // What stands in the block behind the loop is computed whether or not the loop has run.
  if (I.getParent() != F.exit() && !isAtHand(&I))
    return false;
  return onlyComputes(I, P) && (isSafeToSpeculativelyExecute(&I) || isAtHand(&I)) &&
         all_of(I.operands(), [&](const Use &U) {
           return isa<Constant, MetadataAsValue, BasicBlock>(U.get()) || isGood(U.get());
         });
}

bool FusedSearch::findLate(FusedLoop &F) const {
  SmallSetVector<Instruction *, 8> Late;
  SmallVector<Instruction *, 8> Open(F.Results.begin(), F.Results.end());
  while (!Open.empty())
    for (User *U : Open.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (F.L->contains(I) || Late.contains(I))
        continue;
      if (isa<ReturnInst>(I))
        continue;
      auto *S = dyn_cast<StoreInst>(I);
      if (S && is_contained(Plan.Late.stores(), S) &&
          !Late.contains(dyn_cast<Instruction>(S->getPointerOperand())))
        continue;
      if (S || I->isTerminator() || I->mayReadFromMemory() || P.loops().getLoopFor(I->getParent()))
        return false;
      Late.insert(I);
      Open.push_back(I);
    }
  for (Instruction *I : Late)
    if (!canBeLate(*I, F, Late))
      return false;
  F.Late.assign(Late.begin(), Late.end());
  llvm::sort(F.Late, [&](const Instruction *A, const Instruction *B) {
    return P.numberOf(A) < P.numberOf(B);
  });
  return true;
}

static bool isKnownBefore(const Value *Extent, const Loop &L) {
  auto *I = dyn_cast_or_null<Instruction>(Extent);
  return Extent && !(I && L.contains(I));
}

const char *whyNotFused(const DerivativePlan &Plan, const FusedLoop &F) {
  const PreparedFunction &P = Plan.P;
  const Loop *L = F.L;
  if (Plan.Request.Mode != DiffMode::Reverse)
    return "in a derivative of two halves";
  if (L->getParentLoop() || !L->getLoopPreheader() || !L->getLoopLatch() ||
      L->getExitingBlock() != L->getLoopLatch() || P.loops().getLoopFor(L->getLoopLatch()) != L)
    return "that is left in the middle, or lies in another";
  auto *Way = dyn_cast<BranchInst>(L->getLoopLatch()->getTerminator());
  if (!Way || !Way->isConditional() || !L->getExitBlock() ||
      L->getExitBlock()->getSinglePredecessor() != L->getLoopLatch())
    return "with an end of another form";
  for (auto &[N, D] : Plan.Keep) {
    auto *I = dyn_cast<Instruction>(N.V);
    if (!I || D.K != KeepDecision::Cache || !L->contains(I))
      continue;
    if (N.P != Part::Primal)
      return "in which the shadow of an address is kept";
    for (const Loop *In = P.loops().getLoopFor(I->getParent()); In != L; In = In->getParentLoop())
      if (!P.canonical(In).LastIV || !isKnownBefore(P.canonical(In).Extent, *L))
        return "with arrays to keep whose size is not known before it";
  }
  for (const Instruction *I : F.Late)
    if (Plan.decisionFor({const_cast<Instruction *>(I), Part::Primal}))
      return "of which the reverse sweep reads what is computed from it";
  return nullptr;
}

/// Why no loop of \p Plan is fused; null: some may be.
static const char *whyNoneIsFused(const DerivativePlan &Plan) {
  if (!Plan.P.returnBlock())
    return "in a function that does not return";
  if (!options().Fuse || options().Keep == KeepPolicy::Cache ||
      options().Order == AdjointOrder::Source)
    return "that options leave in both sweeps";
  if (!Plan.Watches.empty())
    return "with watched variables, whose derivatives are printed in the order of the sweep";
  if (Plan.P.original().hasFnAttribute(UnoptimisedMark))
    return "in unoptimised code, which a debugger shows in both sweeps";
  if (acceleratorOf(*Plan.P.original().getParent()))
    return "on a GPU"; // Nobody has measured.
  return nullptr;
}

FusedLoops findFusedLoops(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                          const StoredValues &Stored, const ChoiceWishes &Wishes) {
  FusedLoops Found;
  const char *WhyNone = whyNoneIsFused(Plan);
  bool IsListed = !options().PlanOut.empty();
  if (WhyNone && !IsListed && Wishes.empty())
    return Found;
  FusedSearch Search(Plan, Memory, Stored);
  NeedNames Names(Plan.P);
  for (const Loop *L : Plan.CFG->loops()) {
    if (L->getParentLoop())
      continue;
    const ChoiceWish *Wish =
        Wishes.empty() ? nullptr : wishFor(Wishes, Names.nameOf(L->getHeader()));
    if (Wish && Wish->isElsewhere(NeedNames::lineOf(L)))
      Wish = nullptr;
    FusedLoop F;
    F.L = L;
    LoopChoice C{L, WhyNone, /*ByFile=*/Wish != nullptr};
    if (!WhyNone)
      Search.forecast(C);
    // Where nothing is kept the reverse sweep does without the forward one as it is.
    bool Gains = C.Keeping && !C.keepsLittle();
    if (!WhyNone && (C.Keeping || Wish || IsListed))
      C.WhyNot = Search.whyNot(F);
    if (!C.WhyNot && (Wish ? Wish->IsSecond : Gains))
      Found.add(std::move(F));
    Found.note(C);
  }
  return Found;
}

SmallVector<RefusedWish, 2> refusedLoops(const DerivativePlan &Plan, const ChoiceWishes &Wishes) {
  SmallVector<RefusedWish, 2> Refused;
  if (Wishes.empty())
    return Refused;
  NeedNames Names(Plan.P);
  StringSet<> Found;
  for (const Loop *L : Plan.P.loops().getLoopsInPreorder()) {
    std::string Name = Names.nameOf(L->getHeader()), Why;
    const ChoiceWish *Wish = wishFor(Wishes, Name);
    if (!Wish)
      continue;
    Found.insert(Name);
    const auto *C = find_if(Plan.Fused.choices(), [&](const LoopChoice &C) { return C.L == L; });
    if (Wish->isElsewhere(NeedNames::lineOf(L)))
      Why = "it begins in line " + std::to_string(NeedNames::lineOf(L)) + " now, not in line " +
            std::to_string(*Wish->Line);
    else if (Wish->IsSecond && C == Plan.Fused.choices().end())
      Why = L->getParentLoop() ? "it lies in another loop" : "the reverse sweep steps over it";
    else if (Wish->IsSecond && C->WhyNot)
      Why = std::string("it is a loop ") + C->WhyNot;
    if (!Why.empty())
      Refused.push_back({Name, Why, L->getStartLoc()});
  }
  refuseMissing(Wishes, Found, "there is no such loop", Refused);
  return Refused;
}

} // namespace isozyme
