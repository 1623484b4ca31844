//===- RuleTable.cpp - All derivative rules --------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RuleTable.h"

using namespace llvm;

namespace isozyme {

namespace {

using RuleIndex = std::array<const Rule *, NumOps>;

RuleIndex indexRules() {
  RuleIndex Index{};
  for (ArrayRef<Rule> Rules :
       {arithmeticRules(), elementaryRules(), specialRules(), complexRules()})
    for (const Rule &R : Rules)
      Index[static_cast<unsigned>(R.Id)] = &R;
  return Index;
}

} // namespace

const Rule *ruleOf(Op Id) {
  static const RuleIndex Index = indexRules();
  return Index[static_cast<unsigned>(Id)];
}

} // namespace isozyme
