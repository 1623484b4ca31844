//===- PlanForecast.h - What a reverse plan will cost ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a plan, complete.  Out: bytes of tape and work of the sweeps, for the function alone:
// functions that it calls have plans of their own. Nobody decides by it.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_PLANFORECAST_H
#define ISOZYME_PLAN_PLANFORECAST_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class Loop;
class raw_ostream;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;

struct PlanForecast {
  uint64_t TapeBytes = 0;
  /// In the unit of the planner, an addition or a multiplication: of the function, and of the
  /// two sweeps.
  uint64_t Primal = 0, Forward = 0, Reverse = 0;
  /// Loops of which neither the code nor a profile says how often they run.
  llvm::SmallVector<const llvm::Loop *, 4> Assumed;

  void print(llvm::raw_ostream &OS) const;
};

PlanForecast forecastOf(const DerivativePlan &Plan);

} // namespace isozyme

#endif
