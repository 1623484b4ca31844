//===- ShadowScopes.cpp - Which accesses never meet in memory -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Steps/ShadowScopes.h"
#include "Reach.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// Of more objects than these nothing is said: each access lists all scopes that it is apart from.
static constexpr unsigned MostScopes = 24;

/// The address of the memory whose shadow the reverse sweep accesses as memory of its own, for
/// one value; null where it does something else.
static const Value *addressOf(const Instruction &I, const Step &S) {
  bool IsOne =
      S.Shadow == ShadowReach::Direct && !isAtomic(S.Sum) && S.Adjoint != AdjointStep::Copy;
  return IsOne ? adjointAddress(I, S) : nullptr;
}

static bool isStore(const Step &S) {
  return S.Adjoint == AdjointStep::Store || S.Adjoint == AdjointStep::MaskedStore;
}

/// Does the function write what \p I reads, at the same address in the same block?
static bool isWrittenToo(const Instruction &I, const Value *Ptr) {
  return any_of(*I.getParent(), [&](const Instruction &Other) {
    auto *S = dyn_cast<StoreInst>(&Other);
    return S && S->getPointerOperand() == Ptr && isa<LoadInst>(I) &&
           S->getValueOperand()->getType() == I.getType();
  });
}

/// May the address of \p Object come out of memory, or from a call?
static bool isShown(const PreparedFunction &P, const Value &Object) {
  return PointerMayBeCaptured(&Object, /*ReturnCaptures=*/false) &&
         !isHiddenMemory(Object, P.libraryInfo(), [](const Use &) { return true; });
}

void ShadowScopes::addScopes(const PreparedFunction &P, const DiffRequest &R, const StepPlan &Steps,
                             function_ref<bool(const Value &)> MayOverlap) {
  Scopes.push_back({ShadowScope::Given});
  Scopes.push_back({ShadowScope::Found});
  for (auto &[I, S] : Steps.steps()) {
    const Value *Ptr = addressOf(*I, S);
    if (!Ptr)
      continue;
    for (const Value *Object : accessedObjects(Ptr, *I->getFunction())) {
      if (ScopeOf.count(Object) || is_contained(Left, Object) || Scopes.size() == MostScopes)
        continue;
      auto *A = dyn_cast<Argument>(Object);
      bool IsWritten = A && A->hasNoAliasAttr() && isStore(S) && R.hasShadow(A->getArgNo()) &&
                       R.checkOf(A->getArgNo()) == ShadowCheck::None;
      bool IsOwn = (isa<AllocaInst>(Object) || isNoAliasCall(Object)) &&
                   Steps.of(Object).Shadow == ShadowForm::Made;
      if (!IsWritten && !IsOwn)
        continue;
      if (MayOverlap(*Object)) {
        Left.push_back(Object);
        continue;
      }
      ScopeOf[Object] = Scopes.size();
      Scopes.push_back(
          {IsWritten ? ShadowScope::Written : ShadowScope::OwnMemory, Object, isShown(P, *Object)});
    }
  }
}

/// Where the shadow of what \p Ptr leads to may be.
BitVector ShadowScopes::scopesOf(const Instruction &I, const Value *Ptr) const {
  BitVector In(Scopes.size());
  for (const Value *Object : accessedObjects(Ptr, *I.getFunction())) {
    auto It = ScopeOf.find(Object);
    bool IsParameter = isa<Argument>(Object);
    if (It != ScopeOf.end())
      In.set(It->second);
    if (It == ScopeOf.end() ? IsParameter || isa<GlobalVariable>(Object)
                            : IsParameter && !isa<StoreInst>(I) && !isWrittenToo(I, Ptr))
      In.set(ShadowScope::Given); // What is only read may be read through others.
    else if (It == ScopeOf.end() && isEscapeSource(Object))
      In.set(ShadowScope::Found);
    else if (It == ScopeOf.end())
      In.set();
  }
  return In;
}

/// Does \p L come to two addresses, \p Bytes of size, at one place a few iterations apart? Where
/// its step is not known, it may be that size.
static bool areNear(ScalarEvolution &SE, const Loop &L, const SCEV *A, const SCEV *B,
                    int64_t Bytes) {
  constexpr int64_t Few = 8;
  auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(A, B));
  if (!Distance || Distance->isZero() || Distance->getAPInt().getBitWidth() > 64 ||
      SE.isLoopInvariant(A, &L))
    return false;
  int64_t Each = Bytes, Apart = Distance->getAPInt().getSExtValue();
  if (auto *Counted = dyn_cast<SCEVAddRecExpr>(A))
    if (auto *Step = dyn_cast<SCEVConstant>(Counted->getStepRecurrence(SE)))
      Each = Step->getAPInt().getSExtValue();
  return Each && Apart % Each == 0 && std::abs(Apart / Each) <= Few;
}

/// The innermost loops in which an iteration adds to an adjoint that one of the next ones adds to
/// or takes. They are not vectorised in any case. Facts about their accesses let LLVM join stores
/// to neighbours, and then each iteration waits for the one before.
static SmallSetVector<const Loop *, 4> carryingLoops(const PreparedFunction &P,
                                                     const StepPlan &Steps) {
  constexpr size_t Most = 32;
  ScalarEvolution &SE = P.scalarEvolution();
  DenseMap<std::pair<const Loop *, const SCEV *>, SmallSetVector<const SCEV *, 4>> Addresses;
  SmallSetVector<const Loop *, 4> Carrying;
  for (auto &[I, S] : Steps.steps()) {
    const Value *Ptr = addressOf(*I, S);
    const Loop *L = P.loops().getLoopFor(I->getParent());
    if (!Ptr || !L || !Ptr->getType()->isPointerTy())
      continue;
    const SCEV *At = SE.getSCEV(const_cast<Value *>(Ptr));
    int64_t Bytes = S.Moved ? I->getDataLayout().getTypeStoreSize(S.Moved).getKnownMinValue() : 0;
    auto &Others = Addresses[{L, SE.getPointerBase(At)}];
    if (Others.size() > Most ||
        any_of(Others, [&](const SCEV *Other) { return areNear(SE, *L, At, Other, Bytes); }))
      Carrying.insert(L);
    Others.insert(At);
  }
  return Carrying;
}

bool ShadowScopes::areApart(unsigned A, unsigned B) const {
  const ShadowScope &One = Scopes[std::min(A, B)], &Other = Scopes[std::max(A, B)];
  if (A == B || !Other.Object)
    return false;
  return One.K != ShadowScope::Found || !Other.IsShown;
}

ShadowScopes::ShadowScopes(const PreparedFunction &P, const DiffRequest &R, const StepPlan &Steps,
                           function_ref<bool(const Value &)> MayOverlap)
    : Known(options().Apart) {
  if (!Known)
    return;
  addScopes(P, R, Steps, MayOverlap);
  Carrying = carryingLoops(P, Steps);
  for (auto &[I, S] : Steps.steps()) {
    const Value *Ptr = addressOf(*I, S);
    if (!Ptr || Carrying.contains(P.loops().getLoopFor(I->getParent())))
      continue;
    ScopesOfAccess Mine = {scopesOf(*I, Ptr), BitVector(Scopes.size())};
    for (unsigned Other = 0; Other < Scopes.size(); ++Other)
      Mine.Apart[Other] =
          all_of(Mine.In.set_bits(), [&](unsigned One) { return areApart(One, Other); });
    Accesses.insert({I, std::move(Mine)});
  }
}

static void printScope(const ShadowScope &S, raw_ostream &OS) {
  OS << "    shadow of " << operandName(S.Object);
  OS << (S.K == ShadowScope::Written ? ": restrict, where it is written" : ": made here");
  if (S.IsShown)
    OS << "; its address is in memory, too";
  OS << '\n';
}

void ShadowScopes::print(raw_ostream &OS) const {
  if (!Known) {
    OS << "  shadows may overlap other memory\n";
    return;
  }
  for (const Loop *L : Carrying)
    OS << "  loop " << operandName(L->getHeader())
       << " adds to neighbours in one array: nothing is said of its shadows\n";
  for (const Value *Object : Left)
    OS << "  shadow of " << operandName(Object)
       << ": may overlap others  (as the file of plans says)\n";
  if (ScopeOf.empty())
    return;
  OS << "  apart from other shadows\n";
  for (const ShadowScope &S : Scopes)
    if (S.Object)
      printScope(S, OS);
}

/// Are the two said to be apart, from the point of view of either?
static bool areSaidApart(const ScopesOfAccess &A, const ScopesOfAccess &B) {
  auto IsIn = [](const BitVector &In, const BitVector &Apart) { return !In.test(Apart); };
  return IsIn(A.In, B.Apart) || IsIn(B.In, A.Apart);
}

bool ShadowScopes::verify(const PreparedFunction &P, const StepPlan &Steps, raw_ostream &OS) const {
  bool Broken = false;
  auto complain = [&](const Instruction &I, const Twine &What) {
    OS << operandName(&I) << What << '\n';
    Broken = true;
  };
  // Of each object the accesses so far; accesses in the same scopes are looked at once.
  DenseMap<const Value *, SmallVector<const Instruction *, 4>> Known;
  for (Instruction &I : instructions(P.function())) {
    const ScopesOfAccess *Mine = of(I);
    if (!Mine)
      continue;
    const Value *Ptr = addressOf(I, Steps.at(I));
    if (!Ptr || Mine->In.none() || Mine->In.anyCommon(Mine->Apart)) {
      complain(I, " is said to be apart from where it may be");
      continue;
    }
    for (const Value *Object : accessedObjects(Ptr, P.function())) {
      auto &Others = Known[Object];
      for (const Instruction *Other : Others)
        if (areSaidApart(*Mine, *of(*Other)))
          complain(I, " is said to be apart from " + operandName(Other) + ", which leads to " +
                          operandName(Object) + ", too");
      if (none_of(Others, [&](const Instruction *Other) { return of(*Other)->In == Mine->In; }))
        Others.push_back(&I);
    }
  }
  return Broken;
}

} // namespace isozyme
