//===- Costs.h - What it costs to keep a value and to compute it -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit of cost is an addition or a multiplication. To keep a value is a store and a load,
// however small it is, and space in the caches.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_COSTS_H
#define ISOZYME_LIB_PLAN_COSTS_H

#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Prepare/PreparedFunction.h"

namespace isozyme {

constexpr uint64_t CostOfSlot = 8, CostPerByte = 1;
constexpr uint64_t WorkOfLoad = 2, WorkOfDivision = 6, WorkOfCall = 40;
/// Iterations of a loop whose trip count is not a constant.
constexpr uint64_t AssumedTrips = 16;

/// Simple operations that repeating \p I takes the place of. Addresses and conversions between
/// integers mostly become part of what uses them.
uint64_t workOf(const llvm::Instruction &I);

/// What the reverse of \p I costs. Reading what the rule needs is part of it: it was cheap, or it
/// is kept.
uint64_t workOfReverse(const StepPlan &Steps, const llvm::Instruction &I);

/// \p Cost for each iteration of the loops around \p I, those around \p Nest left out (null: none).
uint64_t timesTrips(const PreparedFunction &P, const llvm::Instruction &I, uint64_t Cost,
                    const llvm::Loop *Nest = nullptr);

} // namespace isozyme

#endif
