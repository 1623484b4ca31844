//===- PartialNeeds.h - What a rule reads for one operand --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_PARTIALNEEDS_H
#define ISOZYME_RULES_PARTIALNEEDS_H

#include "isozyme/Ops/OpView.h"

namespace isozyme {

struct Expr;

/// The expression for operand \p Wrt; null where that carries no derivative (an integer
/// exponent, an operation without a rule).
const Expr *partialOf(const OpView &V, unsigned Wrt);
/// Does operand \p Wrt carry a derivative at all?
bool hasPartial(const OpView &V, unsigned Wrt);

/// Which primal values the expression of operand \p Wrt reads.
struct PartialNeeds {
  llvm::SmallVector<unsigned, 3> Operands; ///< Numbers in OpView::Operands.
  bool Result = false;
};
PartialNeeds partialNeeds(const OpView &V, unsigned Wrt);

} // namespace isozyme

#endif
