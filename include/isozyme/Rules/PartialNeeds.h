//===- PartialNeeds.h - What a rule reads for one operand --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_PARTIALNEEDS_H
#define ISOZYME_RULES_PARTIALNEEDS_H

#include "isozyme/Ops/OpView.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace isozyme {

struct Expr;

/// The expression for operand \p Wrt; null where that carries no derivative (an integer
/// exponent, an operation without a rule).
const Expr *partialOf(const OpView &V, unsigned Wrt);
/// Does operand \p Wrt carry a derivative at all?
bool hasPartial(const OpView &V, unsigned Wrt);

/// A function that the expression of operand \p Wrt calls on one operand: cos(X).
struct RuleCall {
  Op Fn;
  unsigned Operand; ///< Number in OpView::Operands.
  bool operator==(const RuleCall &) const = default;
};
llvm::SmallVector<RuleCall, 2> callsOf(const OpView &V, unsigned Wrt);

/// Which primal values the expression of operand \p Wrt reads, where what \p IsComputed says
/// is at hand.
struct PartialNeeds {
  llvm::SmallVector<unsigned, 3> Operands; ///< Numbers in OpView::Operands.
  llvm::SmallVector<RuleCall, 2> Calls;    ///< Those that are at hand.
  bool Result = false;
};
PartialNeeds partialNeeds(
    const OpView &V, unsigned Wrt,
    llvm::function_ref<bool(RuleCall)> IsComputed = [](RuleCall) { return false; });

} // namespace isozyme

#endif
