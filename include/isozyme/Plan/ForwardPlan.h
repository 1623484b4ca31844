//===- ForwardPlan.h - All decisions on a forward derivative -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is kept in forward mode. What is left to decide is what each call does, where
// lanes are vectors, and which stores are left out. In: analyses of a request, which
// outlive the plan.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_FORWARDPLAN_H
#define ISOZYME_PLAN_FORWARDPLAN_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Plan/LaneVectors.h"

namespace isozyme {

struct ForwardPlan {
  ForwardPlan(const PreparedFunction &P, const DiffRequest &R, const TypeResult &Types,
              const ActivityResult &Activity, const CallPlanSet &Calls, const UnreadMemory &Unread)
      : P(P), Request(R), Types(Types), Activity(Activity), Calls(Calls), Unread(Unread),
        Vectors(P, Activity, R) {}

  const PreparedFunction &P;
  const DiffRequest &Request;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const CallPlanSet &Calls;
  const UnreadMemory &Unread;
  LaneVectors Vectors;

  void print(llvm::raw_ostream &OS) const;
};

} // namespace isozyme

#endif
