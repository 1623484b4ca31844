//===- TapedShadows.cpp - Blocks whose shadow lies where the tape does ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of a block that the function allocates lasts from the allocation in the forward
// sweep to that in the reverse sweep, as an array of the tape does, if nobody else knows the
// block. The thread keeps the memory of its tapes. A second block from the C library would be
// given back to the operating system with the first one, and each call would get new pages.
//
//===----------------------------------------------------------------------===//
#include "ReverseSteps.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// Memory of the C or C++ library, aligned as all of it is. Memory of tapes is, too.
static bool isPlainBlock(const CallBase &Call, const PreparedFunction &P) {
  const TargetLibraryInfo &TLI = P.libraryInfo();
  LibFunc Known;
  const Function *Callee = Call.getCalledFunction();
  std::optional<AllocationSize> Size = allocationSize(Call, TLI);
  return Callee && TLI.getLibFunc(*Callee, Known) && Size && !Size->Count && !Size->Zeroed &&
         !getAllocAlignment(&Call, &TLI) && Call.getRetAlign().valueOrOne() <= Align(16) &&
         !P.loops().getLoopFor(Call.getParent());
}

CallSet tapedShadows(const ReverseFacts &F) {
  CallSet Calls;
  if (F.R.isSplit() || memoryOfTape(F.P, F.R) != TapeMemory::Thread)
    return Calls;
  SmallVector<const CallBase *, 4> Releases;
  for (auto &[Call, Plan] : F.Calls) {
    if (Plan.K == CallPlan::Free && !Plan.Shadowless)
      Releases.push_back(Call);
    else if (Plan.K == CallPlan::Allocate && F.Activity.isActiveValue(Call) &&
             isPlainBlock(*Call, F.P) &&
             isHiddenMemory(*Call, F.P.libraryInfo(), [](const Use &) { return true; }))
      Calls.insert(Call);
  }
  // A release may be that of one of several blocks: of all of them the shadow is there, or of none.
  auto objectsOf = [&](const CallBase *Release) {
    return accessedObjects(freedPointer(*Release, F.P.libraryInfo()), F.P.function());
  };
  auto isTaped = [&](const Value *Object) {
    auto *Call = dyn_cast<CallBase>(Object);
    return Call && Calls.contains(Call);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const CallBase *Release : Releases) {
      auto Objects = objectsOf(Release);
      if (all_of(Objects, isTaped))
        continue;
      for (const Value *Object : Objects)
        if (auto *Call = dyn_cast<CallBase>(Object))
          Changed |= Calls.erase(Call);
    }
  }
  for (const CallBase *Release : Releases)
    if (all_of(objectsOf(Release), isTaped))
      Calls.insert(Release);
  return Calls;
}

} // namespace isozyme
