//===- ForwardPlan.cpp - Take all decisions on a forward derivative -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/ForwardPlan.h"
#include "Device/SharedMemory.h"
#include "Steps/ForwardSteps.h"
#include "isozyme/Activity/ActivityResult.h"

using namespace llvm;

namespace isozyme {

Expected<std::unique_ptr<ForwardPlan>> planForward(const PreparedFunction &P, const DiffRequest &R,
                                                   const TypeResult &Types,
                                                   const ActivityResult &Activity,
                                                   const CallPlanSet &Calls,
                                                   const UnreadMemory &Unread, bool IsReplay) {
  auto Plan = std::make_unique<ForwardPlan>(P, R, Calls, Unread);
  Plan->Watches = findWatches(P, Activity);
  Expected<StepPlan> Steps =
      planForwardSteps({P, R, Types, Activity, Calls, IsReplay}, Plan->Watches);
  if (!Steps)
    return Steps.takeError();
  Plan->Steps = std::move(*Steps);
  Plan->Vectors = LaneVectors(P, Plan->Steps, R, IsReplay);
  SmallVector<GlobalVariable *, 2> Globals(Activity.globals().begin(), Activity.globals().end());
  if (Error E = checkForDevice(*Plan, Globals))
    return std::move(E);
  return std::move(Plan);
}

} // namespace isozyme
