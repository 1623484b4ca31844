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

/// Does \p N, of \p E, choose by more than whether a number is a certain constant?
static bool choosesByOrder(const Expr &E, const Node &N) {
  auto isConstant = [&](uint8_t Child) { return E.Nodes[Child].K == NodeKind::Const; };
  return N.K == NodeKind::Less || ((N.K == NodeKind::Equal || N.K == NodeKind::NotEqual) &&
                                   !isConstant(N.A) && !isConstant(N.B));
}

static ArrayRef<Node> nodesOf(const Expr &E) { return ArrayRef(E.Nodes.data(), E.Size); }

bool isSmooth(const Rule &R) {
  auto isPiecewise = [](const Rule &R) {
    return R.Jumps || R.Id == Op::CopySign || any_of(R.Partials, [](const Expr &E) {
             return any_of(nodesOf(E), [&](const Node &N) { return choosesByOrder(E, N); });
           });
  };
  auto calls = [&](const Node &N) {
    const Rule *Called = N.K == NodeKind::Call ? ruleOf(N.Fn) : nullptr;
    return N.K == NodeKind::Call && (!Called || isPiecewise(*Called));
  };
  return !isPiecewise(R) &&
         none_of(R.Partials, [&](const Expr &E) { return any_of(nodesOf(E), calls); });
}

} // namespace isozyme
