//===- RulePrinter.h - The rule table for people -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_RULES_RULEPRINTER_H
#define ISOZYME_RULES_RULEPRINTER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace isozyme {

struct Expr;
struct Node;

/// How tightly an expression binds, as in C: what is looser than its surroundings is put
/// in parentheses.
enum Binding : int {
  BindsChoice,
  BindsOr,
  BindsComparison,
  BindsSum,
  BindsProduct,
  BindsSign,
  BindsCall
};

/// "T / (2 * y)". Operands are x, x1, x2, the result is y.
void printExpr(const Expr &E, llvm::raw_ostream &OS);
/// The same as C: operands, result and T as \p NameOf says for a surrounding of that strength.
std::string exprText(const Expr &E, llvm::function_ref<std::string(const Node &, int)> NameOf,
                     int Surrounding = BindsChoice);
/// The binding of the whole.
int bindingOf(const Expr &E);
/// Every operation: names, derivative by operand, what it reads, kinks.
void printRuleTable(llvm::raw_ostream &OS);
/// What the columns of the table are.
void printRuleHeader(llvm::raw_ostream &OS);
/// The rows of the function of that name; false if there are none.
bool printRulesOf(llvm::StringRef Name, llvm::raw_ostream &OS);
/// A name with rows that differs from \p Name by a slip; empty if there is none.
llvm::StringRef nearestRule(llvm::StringRef Name);

} // namespace isozyme

#endif
