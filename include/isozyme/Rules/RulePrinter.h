//===- RulePrinter.h - The rule table for people -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_RULEPRINTER_H
#define ISOZYME_RULES_RULEPRINTER_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace isozyme {

struct Expr;

/// "T / (2 * y)". Operands are x, x1, x2, the result is y.
void printExpr(const Expr &E, llvm::raw_ostream &OS);
/// Every operation: names, derivative by operand, what it reads, kinks.
void printRuleTable(llvm::raw_ostream &OS);

} // namespace isozyme

#endif
