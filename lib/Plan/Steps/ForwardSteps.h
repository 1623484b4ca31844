//===- ForwardSteps.h - Decide what a forward derivative does ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_FORWARDSTEPS_H
#define ISOZYME_LIB_PLAN_FORWARDSTEPS_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Plan/StepPlan.h"

namespace isozyme {

struct WatchSet;

/// Everything that decisions on a forward derivative are based on.
struct ForwardFacts {
  const PreparedFunction &P;
  const DiffRequest &R;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const CallPlanSet &Calls;
  bool IsReplay; ///< Memory of the primal is out of reach.
};

/// The steps of a forward request. Errors: what cannot be differentiated in forward mode.
llvm::Expected<StepPlan> planForwardSteps(const ForwardFacts &F, const WatchSet &Watches);

/// A choice between numbers that values decide: a comparison of floats goes into its condition.
bool choosesByValue(const llvm::Instruction &Select);
/// An integer operation on the bits of floats only moves whole floats about.
bool movesWholeFloats(const llvm::Instruction &I, const TypeResult &Types);

} // namespace isozyme

#endif
