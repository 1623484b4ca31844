//===- ExceptionFlow.cpp - Where exceptions that are caught may pass ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which functions need the other form, and how each of their calls throws.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/ExceptionFlow.h"
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/ExceptionRuntime.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

bool mayResumeNormally(const InvokeInst &Invoke) {
  SmallVector<const BasicBlock *> Work{Invoke.getUnwindDest()};
  SmallPtrSet<const BasicBlock *, 16> Seen{Invoke.getUnwindDest()};
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (BB == Invoke.getParent() || isa<ReturnInst>(BB->getTerminator()))
      return true;
    for (const BasicBlock *Next : successors(BB))
      if (Seen.insert(Next).second)
        Work.push_back(Next);
  }
  return false;
}

static bool isCatching(const CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  return Invoke && !Invoke->doesNotThrow() && mayResumeNormally(*Invoke);
}

ThrowForm ExceptionFlow::formOf(const CallBase &Call, const Function &Of,
                                MarkerTarget Target) const {
  return formOf(Call, Of, Target, [&] { return isCatching(Call); });
}

ThrowForm ExceptionFlow::formOf(const CallBase &Call, const Function &Of, MarkerTarget Target,
                                function_ref<bool()> IsCatching) const {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.doesNotThrow() || isa<IntrinsicInst>(Call))
    return ThrowForm::None;
  if (Function *F = Target(Call))
    Callee = F;
  if (Throwing.contains(Callee))
    return ThrowForm::Flagged;
  if (!Protected.contains(&Of) && !IsCatching())
    return ThrowForm::None;
  ExceptionCall Does = exceptionCallOf(*Callee);
  if (Does == ExceptionCall::Throw)
    return ThrowForm::Throw;
  if (Does != ExceptionCall::None && Does != ExceptionCall::Rethrow)
    return ThrowForm::None;
  return isKnownInactive(Call) ? ThrowForm::Outside : ThrowForm::None;
}

SmallVector<Value *, 1> handledAround(const CallBase &Call, const DominatorTree &Tree) {
  SmallVector<Value *, 1> Objects;
  for (const Instruction &I : instructions(*Call.getFunction()))
    if (auto *Entry = dyn_cast<CallBase>(&I))
      if (exceptionCallOf(*Entry) == ExceptionCall::Enter && Tree.dominates(Entry, &Call))
        Objects.push_back(Entry->getArgOperand(0));
  return Objects;
}

/// Throws \p F again what a function that calls it has caught? It does not see what that is.
static bool rethrowsForCallers(Function &F) {
  std::optional<DominatorTree> Tree;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && exceptionCallOf(*Call) == ExceptionCall::Rethrow) {
      if (!Tree)
        Tree.emplace(F);
      if (handledAround(*Call, *Tree).empty())
        return true;
    }
  return false;
}

/// Is there nothing in \p F that the other form has no words for?
static bool canHaveForm(Function &F) {
  if (!F.hasPersonalityFn())
    return true;
  if (!isCxxPersonality(*F.getPersonalityFn()))
    return false;
  for (const BasicBlock &BB : F)
    if (auto *Pad = BB.getLandingPadInst())
      for (unsigned Clause = 0; Clause < Pad->getNumClauses(); ++Clause)
        if (Pad->isFilter(Clause))
          return false;
  return true;
}

/// May exceptions of \p Call, which has no form, leave the derivative? It is never made (a call
/// through a pointer that no function fits), or what throws in there is the library, where memory
/// is exhausted, or a destructor.
bool ExceptionFlow::mayPassThrough(const CallBase &Call, MarkerTarget Target) const {
  const Function *Callee = Target(Call);
  if (!Callee)
    Callee = Call.getCalledFunction();
  return !Callee || Able.contains(Callee) || exceptionCallOf(*Callee) != ExceptionCall::None ||
         (Callee->isDeclaration() && managesMemory(*Callee));
}

/// Adds \p F if an exception of one of its calls has to be visible. True if this is news.
bool ExceptionFlow::add(Function &F, MarkerTarget Target, const CatchingCalls &Known) {
  bool Throws = false, Catches = false;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    bool Catching = Known.contains(Call);
    bool Visible = formOf(*Call, F, Target, [&] { return Catching; }) != ThrowForm::None;
    // A real exception would enter a handler that no longer is one.
    if (Catching && !Visible && !mayPassThrough(*Call, Target))
      return false;
    Throws |= Visible;
    Catches |= Visible && Catching;
  }
  bool News = false;
  if (Throws && !F.doesNotThrow())
    News = Throwing.insert(&F).second;
  if (Catches || Throwing.contains(&F))
    News |= Functions.insert(&F);
  return News;
}

ExceptionFlow::ExceptionFlow(ArrayRef<Function *> Reached, MarkerTarget Target) {
  SmallVector<const Function *> Work;
  CatchingCalls Catching; // Asked in each round below: each answer is a walk through the function.
  for (const Function *F : Reached)
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && isCatching(*Call)) {
        Catching.insert(Call);
        Work.push_back(Call->getCalledFunction());
        Work.push_back(Target(*Call));
      }
  if (Work.empty()) // Nothing is caught.
    return;
  SmallPtrSet<const Function *, 16> IsReached(Reached.begin(), Reached.end());
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    if (!IsReached.contains(F) || !Protected.insert(F).second)
      continue;
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Work.push_back(Call->getCalledFunction());
        Work.push_back(Target(*Call));
      }
  }
  for (const Function *F : Reached)
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        CarriesNumbers |= exceptionCallOf(*Call) == ExceptionCall::Throw && mayCarryNumbers(*Call);
  for (Function *F : Reached)
    if (canHaveForm(*F) && !(CarriesNumbers && rethrowsForCallers(*F)))
      Able.insert(F);
  for (bool News = true; News;) {
    News = false;
    for (Function *F : Able)
      News |= add(*F, Target, Catching);
  }
}

} // namespace isozyme
