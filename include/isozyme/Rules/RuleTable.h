//===- RuleTable.h - All derivative rules ------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_RULETABLE_H
#define ISOZYME_RULES_RULETABLE_H

#include "isozyme/Rules/Rule.h"
#include "llvm/ADT/ArrayRef.h"

namespace isozyme {

llvm::ArrayRef<Rule> arithmeticRules();
llvm::ArrayRef<Rule> elementaryRules();
llvm::ArrayRef<Rule> specialRules();
llvm::ArrayRef<Rule> complexRules();

/// The row of an operation; null when it has none (all Elementwise ones have).
const Rule *ruleOf(Op Id);

} // namespace isozyme

#endif
