//===- ComputedCalls.h - What rules call and the program calls too --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivative of sin(x) is cos(x). A program that turns something by an angle has computed
// both: then the derivative takes what is there, and calls nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_COMPUTEDCALLS_H
#define ISOZYME_LIB_PLAN_COMPUTEDCALLS_H

#include "isozyme/Plan/StepPlan.h"

namespace isozyme {

class ComputedCalls {
public:
  explicit ComputedCalls(const PreparedFunction &P);

  /// Notes in \p Steps what the rule of \p I calls for operands that \p Counts. A reverse sweep
  /// comes after all of a block, so it may take what is computed behind \p I.
  void note(const llvm::Instruction &I, bool InReverse, llvm::function_ref<bool(unsigned)> Counts,
            StepPlan &Steps) const;

private:
  bool isAtHand(const llvm::Instruction &By, const llvm::Instruction &I, bool InReverse) const;

  const PreparedFunction &P;
  /// Calls of functions with one operand, by that.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::CallBase *, 2>> Calls;
};

} // namespace isozyme

#endif
