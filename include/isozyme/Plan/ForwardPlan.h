//===- ForwardPlan.h - All decisions on a forward derivative -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is kept in forward mode. What is left to decide is what is done for each
// instruction, what each call does, where lanes are vectors, and which stores are left out.
// The plan refers to decisions on calls and stores; others own these.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_FORWARDPLAN_H
#define ISOZYME_PLAN_FORWARDPLAN_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Plan/Lanes/LaneVectors.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Plan/Watch.h"
#include <memory>

namespace isozyme {

struct ForwardPlan {
  ForwardPlan(const PreparedFunction &P, const DiffRequest &R, const CallPlanSet &Calls,
              const UnreadMemory &Unread)
      : P(P), Request(R), Calls(Calls), Unread(Unread) {}

  const PreparedFunction &P;
  const DiffRequest &Request;
  const CallPlanSet &Calls;
  const UnreadMemory &Unread;
  StepPlan Steps;
  LaneVectors Vectors;
  /// What is printed at run time (-isozyme-watch).
  WatchSet Watches;

  void print(llvm::raw_ostream &OS) const;
};

/// Plans the forward derivative of \p P. \p IsReplay: memory of the primal is out of reach.
llvm::Expected<std::unique_ptr<ForwardPlan>>
planForward(const PreparedFunction &P, const DiffRequest &R, const TypeResult &Types,
            const ActivityResult &Activity, const CallPlanSet &Calls, const UnreadMemory &Unread,
            bool IsReplay);

/// True, and an explanation in \p OS, when the plan breaks a rule of its own.
bool verifyPlan(const ForwardPlan &Plan, llvm::raw_ostream *OS);

} // namespace isozyme

#endif
