//===- PartialNeeds.cpp - What a rule reads for one operand -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked before anything is emitted: what is read here is what emission looks up.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Rules/RuleTable.h"

using namespace llvm;

namespace isozyme {

const Expr *partialOf(const OpView &V, unsigned Wrt) {
  const Rule *R = ruleOf(V.Id);
  if (!R || Wrt >= R->Partials.size() || R->Partials[Wrt].isNone())
    return nullptr;
  return &R->Partials[Wrt];
}

bool hasPartial(const OpView &V, unsigned Wrt) { return partialOf(V, Wrt) != nullptr; }

PartialNeeds partialNeeds(const OpView &V, unsigned Wrt) {
  PartialNeeds Needs;
  const Expr *E = partialOf(V, Wrt);
  if (!E)
    return Needs;
  const unsigned Reads = readsOf(*E);
  for (unsigned Number = 0; Number < V.Operands.size(); ++Number)
    if ((Reads & (1u << Number)) && !isa<Constant>(V.Operands[Number]))
      Needs.Operands.push_back(Number);
  Needs.Result = Reads & ResultBit;
  return Needs;
}

} // namespace isozyme
