//===- WatchedCopy.cpp - A function that says what memory it uses ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a function, before it is prepared.  Out: copies of it that can be run any number of
// times: they print and lock nothing, end before calls whose effects cannot be put back, and say
// what memory they use. Or why there can be none.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Check/WatchedCopy.h"
#include "CodeCopy.h"
#include "ExceptionParts.h"
#include "Obstacles.h"
#include "RuntimeNames.h"
#include "Watcher.h"
#include "isozyme/Ops/OutputCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void WatchedCopies::watchDerivative(ArrayRef<Function *> Made) {
  SetVector<Function *> Reached(Made.begin(), Made.end());
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    Function &F = *Reached[Next];
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Calls.push_back(Call);
        if (Function *Callee = calleeOf(*Call); Callee && !Callee->isDeclaration())
          Reached.insert(Callee);
      }
    // Helpers of derivatives are shared with others, and are watched once.
    if (!WithAllocations.insert(&F).second)
      continue;
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    for (CallBase *Call : Calls)
      if (Function *Callee = calleeOf(*Call);
          Callee && (Callee->isDeclaration() || allocatesException(*Call)))
        announceAllocation(*Call, TLI);
  }
  for (Function *F : Made)
    watchWrites(*F);
}

/// Takes \p Call out of its function.
static void silence(CallBase &Call) {
  if (!Call.use_empty())
    Call.replaceAllUsesWith(resultOfOutput(Call));
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  Call.eraseFromParent();
}

/// A run is left before \p Call is done.
static void leaveAt(CallBase &Call, StringRef Why) {
  IRBuilder<> B(&Call);
  B.CreateCall(noteFunction(*Call.getModule(), CheckRefuse),
               {B.CreateGlobalString(Why, "isozyme.check")});
  silence(Call);
}

/// Takes out of \p Copy what is not to be done again. \p Of has the same instructions.
static void calm(Function &Of, Function &Copy, const Obstacles &Found) {
  SmallVector<std::pair<CallBase *, CallBase *>, 8> Calls;
  for (auto [Old, New] : zip_equal(instructions(Of), instructions(Copy)))
    if (auto *Call = dyn_cast<CallBase>(&Old);
        Call && (Found.Calls.contains(Call) || servesOutput(*Call) || onlyLocks(*Call)))
      Calls.push_back({Call, cast<CallBase>(&New)});
  for (auto [Old, New] : Calls)
    if (auto Why = Found.Calls.find(Old); Why != Found.Calls.end())
      leaveAt(*New, Why->second);
    else
      silence(*New);
}

static CodeCopy calmCopy(Function &F, const Obstacles &Found, StringRef Suffix) {
  CodeCopy Copy = copyCode(F, Found.Code.getArrayRef(), Suffix);
  for (auto &[Of, Made] : Copy.All)
    calm(*Of, *Made, Found);
  spellOutCopies(Copy);
  return Copy;
}

const WatchedCopy &WatchedCopies::of(Function &F) {
  auto [It, New] = Made.try_emplace(&F);
  WatchedCopy &Result = It->second;
  if (!New)
    return Result;
  Obstacles Found = obstaclesIn(F, FAM);
  Result.Why = Found.Why;
  Result.Rules = Found.Rules;
  Result.Prints = Found.Prints;
  Result.HasFloat = Found.HasFloat;
  Result.Thrown = Found.Thrown;
  if (!Result.Why.empty())
    return Result;
  CodeCopy Copy = calmCopy(F, Found, ".watched");
  for (auto &[Of, Made] : Copy.All) {
    watch(*Made, FAM.getResult<TargetLibraryAnalysis>(*Of));
    WithAllocations.insert(Made);
  }
  Result.Fn = Copy.Root;
  return Result;
}

Function &WatchedCopies::plainOf(Function &F) {
  WatchedCopy &Known = Made.find(&F)->second;
  if (!Known.Plain)
    Known.Plain = calmCopy(F, obstaclesIn(F, FAM), ".compared").Root;
  return *Known.Plain;
}

} // namespace isozyme
