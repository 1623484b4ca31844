//===- ZeroSkips.cpp - What adjoints of zero make superfluous -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold, so that nothing is lost:
//
//   the part only hands adjoints on: arithmetic,   what comes in is zero, so is what is handed on
//   choices, loads
//   no adjoint is taken from memory, and no call   what comes in is known: the adjoints of values
//   is reversed                                    that are used behind the part
//   no tape is released inside                     it would be released twice, or never
//
// and that something is won:
//
//   each tested value goes to a choice, or is      else its adjoint is zero by accident only
//   used in a branch
//   the reverse of the part costs much             a test costs little, a wrong forecast of the
//                                                  processor ten operations
//
// A store of a choice between what is there and something else is reversed, with all that the
// choice is computed from, where that has changed. Else its adjoint would be taken and put back.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/ZeroSkips.h"
#include "Costs.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/Choices.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"

using namespace llvm;

namespace isozyme {

/// The least work that is worth a test. LLVM vectorises loops of one block, if it stays one.
constexpr uint64_t LeastWork = 24, LeastWorkInVectors = 80;
/// Where a branch says it already: that of one load.
constexpr uint64_t LeastWorkOfBranch = 5;
/// Of what a store changes, which is mostly nothing.
constexpr uint64_t LeastWorkOfChange = 16;
/// What is tested at once, in all lanes.
constexpr unsigned MostTests = 4;
/// Choices of a block that are looked at.
constexpr unsigned MostChoices = 8;

BasicBlock *ZeroSkip::begin() const { return L ? L->getHeader() : Block; }

bool ZeroSkip::contains(const Instruction &I) const {
  if (L)
    return L->contains(&I);
  return I.getParent() == Block && !isa<PHINode>(I) && (!Behind || I.comesBefore(Behind));
}

SelectInst *ZeroSkip::choice() const { return cast<SelectInst>(Unchanged->getValueOperand()); }

bool ZeroSkip::isThere(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && Load->getPointerOperand() == Unchanged->getPointerOperand() && contains(*Load);
}

const ZeroSkip *ZeroSkips::of(const Loop *L) const {
  const auto *It = find_if(Skips, [&](const ZeroSkip &S) { return S.L == L && S.IsTaken; });
  return L && It != Skips.end() ? It : nullptr;
}

const ZeroSkip *ZeroSkips::of(const BasicBlock *BB) const {
  const auto *It =
      find_if(Skips, [&](const ZeroSkip &S) { return !S.L && S.Block == BB && S.IsTaken; });
  return It == Skips.end() ? nullptr : It;
}

void ZeroSkips::print(raw_ostream &OS) const {
  for (const ZeroSkip &S : Skips) {
    OS << "    " << (S.L ? "loop " : "block ") << operandName(S.begin());
    if (S.Behind)
      OS << " in front of " << operandName(S.Behind);
    if (S.Unchanged)
      OS << (S.IsTaken ? "  is reversed only where memory is changed by"
                       : "  is always reversed, even if no memory is changed by");
    else
      OS << (S.IsTaken ? "  is reversed only where there is an adjoint of"
                       : "  is always reversed, even if there is no adjoint of");
    for (const Instruction *V : S.Tested)
      OS << ' ' << operandName(V);
    OS << "  (saves " << S.Work << ")\n";
  }
}

std::string nameOfSkip(NeedNames &Names, const ZeroSkip &Skip) {
  return (Skip.L ? "loop " : "block ") + Names.nameOf(Skip.begin());
}

/// Does the reverse of \p I only hand its adjoint on, if it has one?
static bool onlyHandsOn(const DerivativePlan &Plan, const Instruction &I) {
  auto *Load = Plan.Steps.at(I).Adjoint == AdjointStep::Load ? cast<LoadInst>(&I) : nullptr;
  return Plan.Steps.at(I).onlyHandsAdjointOn() &&
         (!Load || (!Load->isVolatile() && !Plan.Carried.find(*Load)));
}

template <typename Visitor> static bool all(const ZeroSkip &Part, Visitor Visit) {
  if (!Part.L)
    return all_of(*Part.Block, [&](Instruction &I) { return !Part.contains(I) || Visit(I); });
  return all_of(Part.L->blocks(), [&](BasicBlock *BB) { return all_of(*BB, Visit); });
}

/// Values of \p Part with an adjoint that are used behind it.
static SmallVector<Instruction *, 2> comesIn(const DerivativePlan &Plan, const ZeroSkip &Part) {
  SmallVector<Instruction *, 2> Values;
  all(Part, [&](Instruction &I) {
    auto IsBehind = [&](const Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return !Part.contains(*User) && Plan.Steps.at(*User).Adjoint != AdjointStep::Nothing;
    };
    if (Plan.Steps.of(&I).Adjoint && any_of(I.uses(), IsBehind))
      Values.push_back(&I);
    return true;
  });
  return Values;
}

/// The load of what is there, if \p Skip's store changes it or leaves it by a choice.
static const LoadInst *isLeft(const ZeroSkip &Skip) {
  auto *Choice = dyn_cast<SelectInst>(Skip.Unchanged->getValueOperand());
  if (!Choice || !Skip.contains(*Choice) || isa<Constant>(Choice->getCondition()))
    return nullptr;
  const bool First = Skip.isThere(Choice->getTrueValue());
  if (First == Skip.isThere(Choice->getFalseValue()))
    return nullptr;
  return cast<LoadInst>(First ? Choice->getTrueValue() : Choice->getFalseValue());
}

/// Is \p User all that hands an adjoint to \p V?
static bool hasItFrom(const DerivativePlan &Plan, const Instruction &V, const Instruction &User) {
  return all_of(V.users(), [&](const llvm::User *U) {
    return U == &User || Plan.Steps.at(*cast<Instruction>(U)).Adjoint == AdjointStep::Nothing;
  });
}

static const char *whyNotUnchanged(const DerivativePlan &Plan, const ZeroSkip &Skip) {
  StoreInst *Store = Skip.Unchanged;
  const LoadInst *There = isLeft(Skip);
  if (!There || Store->getNextNode() != Skip.Behind || !Store->isSimple() || !There->isSimple() ||
      Plan.Steps.at(*Store).Adjoint != AdjointStep::Store ||
      Plan.Steps.at(*There).Adjoint != AdjointStep::Load ||
      Plan.Steps.at(*Skip.choice()).Adjoint != AdjointStep::Choose ||
      Plan.Steps.at(*Store).Shadow != Plan.Steps.at(*There).Shadow)
    return "with a store that does not choose between what is there and something else";
  if (!hasItFrom(Plan, *There, *Skip.choice()) || !hasItFrom(Plan, *Skip.choice(), *Store))
    return "with another use of what is stored";
  if (Plan.decisionFor({Store, Part::Overwritten}))
    return "with a store that is undone";
  if (!all(Skip, [&](Instruction &I) { return &I == Store || onlyHandsOn(Plan, I); }))
    return "that does more than to hand adjoints on";
  return comesIn(Plan, Skip).empty() ? nullptr : "into which come other adjoints";
}

const char *whyNotSkipped(const DerivativePlan &Plan, const ZeroSkip &Skip) {
  if (!Plan.CFG->contains(Skip.begin()))
    return "that is not reversed";
  if (Skip.L && Plan.Fused.find(Skip.L))
    return "that runs in the reverse sweep";
  if (Skip.Unchanged)
    return whyNotUnchanged(Plan, Skip);
  if (!all(Skip, [&](Instruction &I) { return onlyHandsOn(Plan, I); }))
    return "that does more than to hand adjoints on";
  if (comesIn(Plan, Skip) != Skip.Tested)
    return "into which come adjoints that are not tested";
  if (any_of(Skip.Tested,
             [&](const Instruction *V) { return !Plan.Steps.of(V).Adjoint->isFloatingPointTy(); }))
    return "with adjoints that are no single number";
  for (const TapeRegion &R : drop_begin(Plan.Tape.regions()))
    if (Skip.L && R.outermost() != Skip.L && Skip.L->contains(R.outermost()))
      return "that releases tape";
  return nullptr;
}

namespace {

class SkipFinder {
public:
  explicit SkipFinder(const DerivativePlan &Plan)
      : Plan(Plan), P(Plan.P), PostDominators(P.function()) {}

  ZeroSkips find();

private:
  /// The skip around \p L that says most of it; null: there is none.
  const ZeroSkip *skipAround(const Loop *L) const;
  void addLoop(const Loop *L);
  void addPartOf(BasicBlock *BB);
  void addChangeIn(BasicBlock *BB);
  bool isWorthIt(ZeroSkip &Skip, uint64_t Least) const;
  bool isMostlyZero(const Instruction *V, SmallPtrSetImpl<const Instruction *> &Seen) const;
  bool isMostlyZeroBy(const Use &U, SmallPtrSetImpl<const Instruction *> &Seen) const;
  bool isSaidByBranch(const Instruction *V, const ZeroSkip &Skip) const;

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  PostDominatorTree PostDominators;
  /// Where the part that is looked at is reversed, adjoints come into this one.
  const ZeroSkip *Around = nullptr;
  ZeroSkips Found;
};

} // namespace

/// Does the adjoint of \p V, which is used, come from choices that others mostly win?
bool SkipFinder::isMostlyZero(const Instruction *V,
                              SmallPtrSetImpl<const Instruction *> &Seen) const {
  constexpr unsigned MostValues = 32;
  if (!Seen.insert(V).second)
    return true;
  return Seen.size() < MostValues &&
         all_of(V->uses(), [&](const Use &U) { return isMostlyZeroBy(U, Seen); });
}

static bool isChoice(Op Id) {
  return Id == Op::FMax || Id == Op::FMin || Id == Op::FMaximum || Id == Op::FMinimum;
}

bool SkipFinder::isMostlyZeroBy(const Use &U, SmallPtrSetImpl<const Instruction *> &Seen) const {
  auto *V = cast<Instruction>(U.get()), *User = cast<Instruction>(U.getUser());
  // That a loop may run not at all says nothing.
  auto IsAlways = [&](const BasicBlock *BB) {
    const Loop *Around = P.loops().getLoopFor(BB);
    return (Around && !Around->contains(V)) || PostDominators.dominates(BB, V->getParent());
  };
  auto *Phi = dyn_cast<PHINode>(User);
  if (Around && !Around->contains(*User) && Plan.Steps.at(*User).Adjoint != AdjointStep::Nothing)
    return false;
  // Of the only iteration that is reversed, what is chosen has an adjoint.
  if (const ChosenIteration *C = Plan.Chosen.of(User))
    return C->contains(V);
  switch (Plan.Steps.at(*User).Adjoint) {
  case AdjointStep::Nothing:
  case AdjointStep::Choose:
    return true;
  case AdjointStep::HandOn:
    return !IsAlways(Phi->getIncomingBlock(U)) || isMostlyZero(User, Seen);
  case AdjointStep::Rule:
    return isChoice(mathOpOf(*User)) || !IsAlways(User->getParent()) || isMostlyZero(User, Seen);
  case AdjointStep::Pass:
  case AdjointStep::PutBack:
    return !IsAlways(User->getParent()) || isMostlyZero(User, Seen);
  default:
    return !IsAlways(User->getParent());
  }
}

/// Does the adjoint of \p V only come from blocks that are left out at times, and whose reverse
/// accesses memory? It stays a branch then, and LLVM makes one of it and the test.
bool SkipFinder::isSaidByBranch(const Instruction *V, const ZeroSkip &Skip) const {
  auto IsBranchedTo = [&](const BasicBlock *BB) {
    return !PostDominators.dominates(BB, Skip.Block) && any_of(*BB, [&](const Instruction &I) {
      AdjointStep Todo = Plan.Steps.at(I).Adjoint;
      return Todo == AdjointStep::Load || Todo == AdjointStep::Store;
    });
  };
  const Loop *L = P.loops().getLoopFor(Skip.Block);
  return all_of(V->uses(), [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    return Skip.contains(*User) || Plan.Steps.at(*User).Adjoint == AdjointStep::Nothing ||
           (P.loops().getLoopFor(User->getParent()) == L && !isa<PHINode>(User) &&
            IsBranchedTo(User->getParent()));
  });
}

bool SkipFinder::isWorthIt(ZeroSkip &Skip, uint64_t Least) const {
  Skip.Tested = comesIn(Plan, Skip);
  if (Skip.Tested.empty() || Skip.Tested.size() * Plan.Request.Width > MostTests)
    return false;
  all(Skip, [&](Instruction &I) {
    Skip.Work += timesTrips(P, I, workOfReverse(Plan.Steps, I),
                            Skip.L ? Skip.L->getParentLoop() : P.loops().getLoopFor(Skip.Block));
    return true;
  });
  if (!Skip.L && all_of(Skip.Tested, [&](const Instruction *V) { return isSaidByBranch(V, Skip); }))
    Least = LeastWorkOfBranch;
  return Skip.Work >= Least && !whyNotSkipped(Plan, Skip) &&
         all_of(Skip.Tested, [&](const Instruction *V) {
           SmallPtrSet<const Instruction *, 8> Seen;
           return isMostlyZero(V, Seen);
         });
}

const ZeroSkip *SkipFinder::skipAround(const Loop *L) const {
  for (; L; L = L->getParentLoop())
    if (const ZeroSkip *Skip = Found.of(L))
      return Skip;
  return nullptr;
}

void SkipFinder::addLoop(const Loop *L) {
  Around = skipAround(L->getParentLoop());
  ZeroSkip Skip;
  Skip.L = L;
  if (isWorthIt(Skip, LeastWork))
    Found.add(std::move(Skip));
}

/// The most that one test may save in \p BB: all of it, or what stands in front of a choice.
void SkipFinder::addPartOf(BasicBlock *BB) {
  const Loop *L = P.loops().getLoopFor(BB);
  if (!L)
    return;
  Around = skipAround(L);
  SmallVector<Instruction *, MostChoices> Behind = {nullptr};
  for (Instruction &I : reverse(*BB))
    if (Plan.Steps.at(I).Adjoint == AdjointStep::Choose && Behind.size() < MostChoices)
      Behind.push_back(&I);
  ZeroSkip Best;
  for (Instruction *Choice : Behind) {
    ZeroSkip Skip;
    Skip.Block = BB;
    Skip.Behind = Choice;
    uint64_t Least = L->getNumBlocks() == 1 ? LeastWorkInVectors : LeastWork;
    if (isWorthIt(Skip, Least) && Skip.Work > Best.Work)
      Best = std::move(Skip);
  }
  if (Best.Block)
    Found.add(std::move(Best));
}

/// The last store in \p BB that has an adjoint.
void SkipFinder::addChangeIn(BasicBlock *BB) {
  const Loop *L = P.loops().getLoopFor(BB);
  if (!L || Plan.Independent.contains(L) || Found.of(BB)) // LLVM may make vectors of it.
    return;
  for (Instruction &I : reverse(*BB)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || Plan.Steps.at(I).Adjoint != AdjointStep::Store)
      continue;
    ZeroSkip Skip;
    Skip.Block = BB;
    Skip.Unchanged = Store;
    Skip.Behind = Store->getNextNode();
    if (whyNotSkipped(Plan, Skip))
      return;
    Skip.Tested = {Skip.choice()};
    for (Instruction &Part : *BB)
      if (Skip.contains(Part))
        Skip.Work += workOfReverse(Plan.Steps, Part);
    const bool IsActive = all_of(alternativesOf(*Skip.choice()), [&](Value *V) {
      return !isa<Constant>(V) && Plan.Steps.of(V).Adjoint;
    });
    if (IsActive && Skip.Work >= LeastWorkOfChange)
      Found.add(std::move(Skip));
    return;
  }
}

ZeroSkips SkipFinder::find() {
  for (const Loop *L : P.loops().getLoopsInPreorder())
    if (is_contained(Plan.CFG->loops(), L))
      addLoop(L);
  for (const auto &Each : Plan.CFG->steps()) {
    addPartOf(Each.first);
    addChangeIn(Each.first);
  }
  return std::move(Found);
}

ZeroSkips findZeroSkips(const DerivativePlan &Plan) {
  if (!Plan.P.returnBlock() || !options().SkipZeros || !options().StrongZero ||
      !Plan.Watches.empty() || Plan.CFG->loops().empty() ||
      Plan.P.original().hasFnAttribute(UnoptimisedMark) ||
      acceleratorOf(*Plan.P.original().getParent())) // Nobody has measured.
    return {};
  return SkipFinder(Plan).find();
}

} // namespace isozyme
