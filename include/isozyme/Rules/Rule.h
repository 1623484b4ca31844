//===- Rule.h - The derivative of one operation ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_RULE_H
#define ISOZYME_RULES_RULE_H

#include "isozyme/Rules/RuleExpr.h"

namespace isozyme {

struct Rule {
  Op Id;
  /// One expression per operand, linear in T; none where the operand carries no
  /// derivative.
  std::array<Expr, 3> Partials;
  /// What happens where the function has no derivative, for the printed table.
  const char *Kinks = "";
  /// The function jumps; between its jumps it has these derivatives.
  bool Jumps = false;
};

/// Do arguments that differ by rounding have derivatives that do? Not where the rule chooses
/// between formulas by comparing numbers, as that of fabs does. A value of its own at a single
/// point, such as that at the end of what sqrt is defined for, counts as smooth.
bool isSmooth(const Rule &R);

template <unsigned N> constexpr bool allLinear(const Rule (&Rules)[N]) {
  for (const Rule &R : Rules)
    for (const Expr &E : R.Partials)
      if (!isLinear(E))
        return false;
  return true;
}

} // namespace isozyme

#endif
