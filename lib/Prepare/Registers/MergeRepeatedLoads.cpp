//===- MergeRepeatedLoads.cpp - Loads that a math function has come between ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sqrt and log may write to errno, which is an int. So may be everything that is declared as
// an int, as far as the optimiser knows, and it loads such numbers again behind each call:
//
//   for (i = 0; i < this->n; i++)              the trip count is not known before the loop
//     x[i * this->n] = sqrt(...);              the length of a row may change in the loop
//
// Differentiated code does not look at errno, so that these loads are one.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/ErrnoCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

using namespace llvm;

namespace isozyme {

void mergeRepeatedLoads(Function &F, FunctionAnalysisManager &FAM, const TargetLibraryInfo &TLI) {
  SmallVector<std::pair<WeakVH, AttributeList>> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->mayWriteToMemory() || !writesErrnoAtMost(*Call, TLI))
      continue;
    Calls.push_back({Call, Call->getAttributes()});
    // A write to somewhere else: the call stays, and errno will be what it was.
    Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
  if (Calls.empty()) // The optimiser knew as much.
    return;
  FAM.invalidate(F, PreservedAnalyses::none());
  EarlyCSEPass(/*UseMemorySSA=*/true).run(F, FAM);
  for (auto &[Call, Attributes] : Calls)
    if (Call)
      cast<CallBase>(Call)->setAttributes(Attributes);
}

} // namespace isozyme
