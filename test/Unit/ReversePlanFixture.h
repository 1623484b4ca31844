//===- ReversePlanFixture.h - Plans of reverse derivatives -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TEST_UNIT_REVERSEPLANFIXTURE_H
#define ISOZYME_TEST_UNIT_REVERSEPLANFIXTURE_H

#include "PlanFixture.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Plan/DerivativePlan.h"

namespace isozyme {

/// Plans reverse derivatives of functions that differentiate no other.
class ReversePlanFixture : public PlanFixture {
protected:
  void plan(llvm::StringRef Text, const PlanWishes &Wishes = {}) {
    DiffRequest R = request(Text);
    ActivityResult Active = cantFail(analyzeActivity(prepared(), types(), R));
    UnreadMemory Unread(prepared(), R.Args);
    CalleeEffects Effects(FAM);
    CallPlanSet Calls = cantFail(planCalls(prepared(), types(), Active, R, Unread, Effects));
    MemoryAvailability Memory(prepared(), R, Calls, Unread, LateStores(), Effects);
    Plan = cantFail(planReverse(
        prepared(), R, types(), Active, Calls, Unread, LateStores(), Memory,
        [](const CallPlan &) { return CalleeReads(); },
        [](const CallPlan &) -> llvm::Type * { return nullptr; }, Wishes));
  }
  /// What is wrong with the plan; "" if nothing is.
  std::string fault() {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    EXPECT_EQ(verifyPlan(*Plan, &OS), !Text.empty());
    return Text;
  }

  std::unique_ptr<DerivativePlan> Plan;
};

} // namespace isozyme

#endif
