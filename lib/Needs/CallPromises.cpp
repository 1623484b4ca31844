//===- CallPromises.cpp - What callees may rely on ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is called in two halves knows nothing of what happens between them, and
// nothing of what its arguments lead to. Its caller does, and says it in the request.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// Only where they can matter, for they are looked for in all of the function.
void MemoryAvailability::findTargets(const CallPlanSet &Plans, CalleeEffects &Effects) {
  for (auto &[Call, Plan] : Plans)
    if (Plan.K == CallPlan::Differentiate && Plan.Callee.isSplit())
      if (AddressEffects Found = Effects.addressesOf(*Call); Found.ReadsBehind.any())
        ReadBehind.insert({Call, std::move(Found.ReadsBehind)});
  if (R.Steady.empty() && R.Own.empty() && ReadBehind.empty())
    return;
  Targets.emplace(Effects.targetsIn(P.function(), R.Own));
  anyWrite([&](const Instruction &W) {
    if (auto *Call = dyn_cast<CallBase>(&W))
      if (std::optional<PointerTargets::Places> Written = Targets->writtenBy(*Call))
        CallWrites.insert({Call, std::move(*Written)});
    return false;
  });
}

bool MemoryAvailability::isApart(const CallBase &Call, unsigned Arg) const {
  auto objectsOf = [](const Value *Ptr) {
    SmallVector<const Value *, 2> Objects;
    getUnderlyingObjects(Ptr, Objects, nullptr, 0);
    return Objects;
  };
  auto isKnownHereOnly = [&](const Value *Object) {
    if (auto *A = dyn_cast<Argument>(Object))
      return R.isApart(A->getArgNo());
    return (isa<AllocaInst>(Object) || isNoAliasCall(Object)) &&
           !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true);
  };
  SmallVector<const Value *, 2> Mine = objectsOf(Call.getArgOperand(Arg));
  if (!Call.getArgOperand(Arg)->getType()->isPointerTy() || !all_of(Mine, isKnownHereOnly))
    return false;
  for (auto [Number, Other] : enumerate(Call.args())) {
    if (Number == Arg || !Other->getType()->isPtrOrPtrVectorTy())
      continue;
    for (const Value *Object : objectsOf(Other))
      if (is_contained(Mine, Object) || !beginsHere(Object))
        return false;
  }
  return true;
}

bool MemoryAvailability::leadApart(const Value *A, const Value *B) const {
  if (!Targets)
    return false;
  const PointerTargets::Places One = Targets->ofObject(A), Other = Targets->ofObject(B);
  return !One.empty() && !Other.empty() && !Targets->mayMeet(One, Other);
}

bool MemoryAvailability::mayWriteTo(const Instruction &W,
                                    const PointerTargets::Places &Memory) const {
  auto *Call = dyn_cast<CallBase>(&W);
  if (!Call) {
    std::optional<PointerTargets::Places> Written = Targets->writtenBy(W);
    return !Written || Targets->mayMeet(*Written, Memory);
  }
  auto It = CallWrites.find(Call);
  return It == CallWrites.end() || Targets->mayMeet(It->second, Memory);
}

bool MemoryAvailability::isOwn(const CallBase &Call, unsigned Arg) const {
  if (!ReadBehind.contains(&Call))
    return false;
  auto reached = [&](const Use &Operand) { return Targets->reachedFrom(Targets->of(Operand)); };
  const PointerTargets::Places Mine = reached(Call.getArgOperandUse(Arg));
  auto isStrange = [&](unsigned Place) {
    std::optional<unsigned> From = Targets->argumentOf(Place);
    return From ? !R.isOwn(*From) : Targets->isOutside(Place);
  };
  return !PointerTargets::anyOf(Mine, isStrange) &&
         !Mine.intersects(Targets->reachedFromOutside()) &&
         none_of(Call.data_ops(), [&](const Use &Other) {
           return &Other != &Call.getArgOperandUse(Arg) && Mine.intersects(reached(Other));
         });
}

bool MemoryAvailability::mayChangeBehind(const CallBase &Call, unsigned Arg) const {
  auto Read = ReadBehind.find(&Call);
  if (Read == ReadBehind.end() || !Read->second.test(Arg))
    return true;
  const PointerTargets::Places Behind = Targets->behind(Targets->of(Call.getArgOperand(Arg)));
  if (Behind.empty()) // The callee takes addresses from there that are not known here.
    return true;
  PointerTargets::Places Unnamed;
  for (unsigned Place : Behind) {
    std::optional<unsigned> From = Targets->argumentOf(Place);
    const Value *Name = Targets->nameOf(Place);
    if (Name ? mayChangeAfter(Call, const_cast<Value *>(Name))
             : R.isSplit() && !(From && R.isSteady(*From)))
      return true;
    if (Name && R.isSplit() && isa<AllocaInst>(Name)) // It ends with the half that it is of.
      return true;
    if (!Name)
      Unnamed.set(Place);
  }
  return !Unnamed.empty() && anyWrite([&](const Instruction &W) {
    return mayWriteTo(W, Unnamed) && mayRunAfter(Call, W);
  });
}

void refineOverwrites(const MemoryAvailability &Memory, CallPlanSet &Calls) {
  for (auto &[Call, Plan] : Calls) {
    if (Plan.K != CallPlan::Differentiate || !Plan.Callee.isSplit())
      continue;
    Plan.Callee.Apart.clear();
    Plan.Callee.Steady.clear();
    Plan.Callee.Own.clear();
    Plan.Callee.MayOverwrite.resize(Plan.Callee.Args.size(), false);
    for (unsigned I = 0; I < Plan.Callee.Args.size(); ++I) {
      Value *Arg = Call->getArgOperand(I);
      Plan.Callee.MayOverwrite[I] =
          Arg->getType()->isPointerTy() && Memory.mayChangeAfter(*Call, Arg);
      if (hasCustomRule(Plan.Callee) || !Arg->getType()->isPointerTy())
        continue;
      auto note = [&](SmallVectorImpl<bool> &Facts) {
        Facts.resize(Plan.Callee.Args.size());
        Facts[I] = true;
      };
      if (Memory.isApart(*Call, I))
        note(Plan.Callee.Apart);
      if (!Memory.mayChangeBehind(*Call, I))
        note(Plan.Callee.Steady);
      if (Memory.isOwn(*Call, I))
        note(Plan.Callee.Own);
    }
  }
}

} // namespace isozyme
