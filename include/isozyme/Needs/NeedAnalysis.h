//===- NeedAnalysis.h - What the reverse sweep reads -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_NEEDANALYSIS_H
#define ISOZYME_NEEDS_NEEDANALYSIS_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/NeedSet.h"
#include "llvm/ADT/SmallBitVector.h"

namespace isozyme {

/// What the reverse half of a callee reads of its parameters (everything, when
/// its plan is not finished yet).
struct CalleeReads {
  llvm::SmallBitVector Primal, Shadow;
  bool HasTape = true;
};
using CalleeQuery = llvm::function_ref<CalleeReads(const CallPlan &)>;

/// Everything that decisions on the reverse sweep are based on.
struct ReverseFacts {
  const PreparedFunction &P;
  const DiffRequest &R;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const CallPlanSet &Calls;
};

} // namespace isozyme

#endif
