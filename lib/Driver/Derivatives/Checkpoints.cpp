//===- Checkpoints.cpp - The pair of a loop that is run in parts -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To its callers a pair like any other. Its reverse half calls the combined derivative of the
// same function, for parts of the loop.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Emit/CheckpointEmitter.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/Options.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

namespace isozyme {

/// Where the user's loop is.
static Place placeOf(const CheckpointPlan &Plan, const Instruction *At) {
  const Function &Steps = *Plan.Request.Fn;
  const Function *User = Steps.getParent()->getFunction(
      Steps.getFnAttribute(marking::Checkpointed).getValueAsString());
  DebugLoc Loc = At ? Plan.P.placeOf(At).Loc : DebugLoc();
  return Place(User ? *User : Steps, Loc);
}

static Error refused(const CheckpointPlan &Plan) {
  return diffError(DiagId::NoCheckpoints, placeOf(Plan, Plan.RefusedAt),
                   "the loop with 'isozyme_checkpoint' cannot be run in parts: " + Plan.Refused,
                   "change the loop, or take the call out");
}

Error Derivatives::cutPair(Pair &Self) {
  const DiffRequest R = Self.Request;
  Expected<Analysis> A = analyze(R);
  if (!A)
    return A.takeError();
  CheckpointPlan Plan = planCheckpoints(*A->P, R, *A->Types, A->Calls);
  if (!Plan.Refused.empty())
    return refused(Plan);
  CheckpointPlan *Around = std::exchange(Cutting, &Plan);
  Expected<Function *> Part = derive(Plan.partRequest());
  Cutting = Around;
  if (!Part)
    return Part.takeError();
  if (options().PrintAfter == "plan")
    Plan.print(dbgs());
  if (LookAtParts)
    LookAtParts(Plan);
  if (options().VerifyEach) {
    std::string Why;
    raw_string_ostream OS(Why);
    if (verifyPlan(Plan, &OS))
      return diffError(DiagId::InternalError, Place(*R.Fn), "the plan is not sound: " + Why,
                       "please report it with this program");
  }
  Self.Functions.Tape = PointerType::get(M.getContext(), 0);
  Self.Functions.Augment = declare(R, Self.Functions.Tape);
  Self.Functions.FromTape = declare(R.inMode(DiffMode::FromTape), Self.Functions.Tape);
  DiffRequest Keeping = R.inMode(DiffMode::FromTape);
  Keeping.KeepTape = true;
  Self.KeepingFromTape = declare(Keeping, Self.Functions.Tape);
  CheckpointParts Parts = emitCheckpointParts(Plan, **Part);
  append_range(Created, std::initializer_list<Function *>{Parts.Run, Parts.Reverse, Parts.Move});
  emitCheckpointAugment(*Self.Functions.Augment, Plan, Parts);
  emitCheckpointFromTape(*Self.Functions.FromTape, Plan, Parts, false);
  emitCheckpointFromTape(*Self.KeepingFromTape, Plan, Parts, true);
  if (!IsQuiet)
    remarkPlan(Plan);
  for (Function *F : {Parts.Run, Parts.Reverse, Parts.Move, Self.Functions.Augment,
                      Self.Functions.FromTape, Self.KeepingFromTape})
    if (Error E = finish(*F, *R.Fn))
      return E;
  return Error::success();
}

} // namespace isozyme
