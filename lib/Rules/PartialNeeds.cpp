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
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

const Expr *partialOf(const OpView &V, unsigned Wrt) {
  // What is known of 1 / x spares a division.
  if (V.Id == Op::FDiv && Wrt == 1 && match(V.Operands[0], m_FPOne()))
    return &ruleOf(Op::Reciprocal)->Partials[0];
  const Rule *R = ruleOf(V.Id);
  if (!R || Wrt >= R->Partials.size() || R->Partials[Wrt].isNone())
    return nullptr;
  return &R->Partials[Wrt];
}

bool hasPartial(const OpView &V, unsigned Wrt) { return partialOf(V, Wrt) != nullptr; }

/// The call at node \p N, if its only operand is one of the operation.
static std::optional<RuleCall> callAt(const Expr &E, const Node &N) {
  if (N.K != NodeKind::Call || N.NumChildren != 1 || E.Nodes[N.A].K != NodeKind::Arg)
    return std::nullopt;
  return RuleCall{N.Fn, static_cast<unsigned>(E.Nodes[N.A].Value)};
}

SmallVector<RuleCall, 2> callsOf(const OpView &V, unsigned Wrt) {
  SmallVector<RuleCall, 2> Calls;
  if (const Expr *E = partialOf(V, Wrt))
    for (unsigned N = 0; N < E->Size; ++N)
      if (std::optional<RuleCall> Call = callAt(*E, E->Nodes[N]))
        Calls.push_back(*Call);
  return Calls;
}

PartialNeeds partialNeeds(const OpView &V, unsigned Wrt, function_ref<bool(RuleCall)> IsComputed) {
  PartialNeeds Needs;
  const Expr *E = partialOf(V, Wrt);
  if (!E)
    return Needs;
  // Children come first: from the root down, each node is reached from above before its turn.
  unsigned Read = 1u << (E->Size - 1), Arguments = 0;
  for (unsigned N = E->Size; N-- > 0;) {
    const Node &Nd = E->Nodes[N];
    if (!(Read & (1u << N)))
      continue;
    if (std::optional<RuleCall> Call = callAt(*E, Nd); Call && IsComputed(*Call)) {
      Needs.Calls.push_back(*Call);
      continue;
    }
    if (Nd.K == NodeKind::Arg)
      Arguments |= 1u << static_cast<unsigned>(Nd.Value);
    Needs.Result |= Nd.K == NodeKind::Result;
    const uint8_t Children[] = {Nd.A, Nd.B, Nd.C};
    for (unsigned Child = 0; Child < Nd.NumChildren; ++Child)
      Read |= 1u << Children[Child];
  }
  for (unsigned Number = 0; Number < V.Operands.size(); ++Number)
    if ((Arguments & (1u << Number)) && !isa<Constant>(V.Operands[Number]))
      Needs.Operands.push_back(Number);
  return Needs;
}

} // namespace isozyme
