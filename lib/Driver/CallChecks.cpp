//===- CallChecks.cpp - Which calls are checked, and with what ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a marker call.  Out: what is run beside it, or why nothing can be. Errors of
// what is made for a check are no errors of the user's.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/CallChecks.h"
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

CallChecks::CallChecks(Module &M, FunctionAnalysisManager &FAM, Derivatives &All)
    : All(All), Copies(FAM) {
  if (!options().Check)
    return;
  Inside = MarkerTargets(M).roots();
  addReachable(Inside, [](Function &) { return false; });
}

/// The first sentence of an error, without its number.
static std::string textOf(Error E) {
  std::string Text;
  handleAllErrors(std::move(E), [&](const DiffError &D) { Text = D.text(); });
  return Text.substr(0, Text.find(';'));
}

std::string CallChecks::derive(const DiffRequest &R, CheckPlan &Plan) {
  const WatchedCopy &Copy = Copies.of(*R.Fn);
  if (!Copy.Fn)
    return Copy.Why;
  Plan.Rules = Copy.Rules;
  Plan.Prints = Copy.Prints;
  Plan.HasFloat = Copy.HasFloat;
  Plan.Thrown = Copy.Thrown;
  DiffRequest Request = forwardRequestFor(R, *Copy.Fn);
  SmallVector<Function *, 8> Made;
  Expected<Function *> Forward = All.getQuietly(Request, Made);
  if (!Forward)
    return "the forward derivative of a copy that is watched cannot be made: " +
           textOf(Forward.takeError());
  Copies.watchDerivative(Made);
  Plan.ForwardRequest = std::move(Request);
  Plan.Primal = Copy.Fn;
  Plan.Forward = *Forward;
  if (R.Mode == DiffMode::Forward)
    deriveReverse(R, Plan);
  return "";
}

/// Where there is none, a forward call is compared with differences alone.
void CallChecks::deriveReverse(const DiffRequest &R, CheckPlan &Plan) {
  std::optional<DiffRequest> Request = reverseRequestFor(R, Copies.plainOf(*R.Fn));
  if (!Request)
    return;
  SmallVector<Function *, 8> Made;
  Expected<Function *> Reverse = All.getQuietly(*Request, Made);
  if (!Reverse) {
    consumeError(Reverse.takeError());
    return;
  }
  Copies.watchDerivative(Made);
  Plan.ReverseRequest = std::move(*Request);
  Plan.Reverse = *Reverse;
}

std::optional<CheckPlan> CallChecks::planFor(const MarkerCall &Call) {
  if (!options().Check || acceleratorOf(*Call.Call->getModule()) ||
      Inside.contains(Call.Call->getFunction()) || Call.SizeOnly)
    return std::nullopt;
  CheckPlan Plan;
  if (Call.Records || Call.FromRecord)
    Plan.Why = "forward mode from a tape";
  else if (Call.Request.Dependence)
    Plan.Why = "it asks for a pattern, not for numbers";
  else
    Plan.Why = obstacleIn(Call.Request);
  if (Plan.Why.empty())
    Plan.Why = derive(Call.Request, Plan);
  return Plan;
}

} // namespace isozyme
