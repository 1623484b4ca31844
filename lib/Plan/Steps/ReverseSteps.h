//===- ReverseSteps.h - Decide what a reverse derivative does ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_REVERSESTEPS_H
#define ISOZYME_LIB_PLAN_REVERSESTEPS_H

#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Plan/StepPlan.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace isozyme {

class LateStores;
struct WatchSet;

/// Refuses code where derivatives would be lost in integers: bit arithmetic on
/// active floats (IZ202), stores of integers that may be copies of floats or
/// addresses (IZ203).
llvm::Error checkIntegers(const ReverseFacts &F);

using CallSet = llvm::SmallPtrSet<const llvm::CallBase *, 8>;

/// The allocations of a function whose shadow lies in the memory of tapes, and the releases of
/// these blocks, which do not release the shadow.
CallSet tapedShadows(const ReverseFacts &F);

/// The steps of a reverse request. Errors: what cannot be differentiated in reverse mode.
llvm::Expected<StepPlan> planReverseSteps(const ReverseFacts &F, const LateStores &Late,
                                          const WatchSet &Watches);

/// What the reverse sweep reads for one instruction.
void needsOf(const PreparedFunction &P, const CallPlanSet &Calls, const StepPlan &Steps,
             llvm::Instruction &I, CalleeQuery Query, llvm::function_ref<void(Need)> Add);

} // namespace isozyme

#endif
