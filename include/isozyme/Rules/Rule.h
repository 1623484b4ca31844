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
};

template <unsigned N> constexpr bool allLinear(const Rule (&Rules)[N]) {
  for (const Rule &R : Rules)
    for (const Expr &E : R.Partials)
      if (!isLinear(E))
        return false;
  return true;
}

} // namespace isozyme

#endif
