//===- Text.h - Expressions as people write them -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_TEXT_H
#define ISOZYME_PLAN_TEXT_H

#include "isozyme/Rules/RulePrinter.h"
#include <optional>
#include <string>

namespace isozyme {

/// An expression of C, and how tightly it binds.
struct Text {
  std::string S;
  int Binds = BindsCall;
  /// For a surrounding of that strength.
  std::string in(int Surrounding) const { return Binds < Surrounding ? "(" + S + ")" : S; }
};

/// "a + b", "a - b" for a negative second one.
Text sumOf(const Text &A, const Text &B);
/// "a * b", with its sign in front.
Text productOf(const Text &A, const Text &B);
/// "(a < b) ? c : d"
Text choiceOf(const Text &Condition, const Text &Then, const Text &Else);
/// "-(a * b)" is "a * b", subtracted; nothing for what has no sign.
std::optional<Text> subtracted(const Text &T);
/// a * (b * -c)  ->  -a * b * c
Text tidyProduct(const Text &T);

} // namespace isozyme

#endif
