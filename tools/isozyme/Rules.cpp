//===- Rules.cpp - isozyme rules ------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of known derivatives, or what it has on some functions.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Toolchain.h"
#include "isozyme/Rules/RulePrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme::driver {

const StringLiteral RulesHelp =
    R"(isozyme rules [<function>...]    print the known derivatives, all or these

  isozyme rules sin pow
)";

int printRules(Words Arguments) {
  if (Arguments.empty()) {
    printRuleTable(outs());
    return 0;
  }
  std::string Rows;
  raw_string_ostream OS(Rows);
  for (StringRef Name : Arguments)
    if (!printRulesOf(Name, OS)) {
      StringRef Nearest = nearestRule(Name);
      return fail("rules: no rule for '" + Name + "' is known" +
                  (Nearest.empty() ? Twine("; 'isozyme rules' lists them all")
                                   : "; did you mean '" + Nearest + "'?"));
    }
  printRuleHeader(outs());
  outs() << Rows;
  return 0;
}

} // namespace isozyme::driver
