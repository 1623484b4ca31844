//===- ComputedCalls.cpp - What rules call and the program calls too ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the prepared function.  Out: instructions that compute what a rule calls.
//
//===----------------------------------------------------------------------===//
#include "ComputedCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

ComputedCalls::ComputedCalls(const PreparedFunction &P) : P(P) {
  for (Instruction &I : instructions(P.function()))
    // What is only said to be like a sine has a body of its own, which may be less exact.
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && I.getType()->isFPOrFPVectorTy() && !Call->hasFnAttr(marking::Math))
      if (OpView V = viewOf(I, P.libraryInfo());
          V.Class == OpClass::Elementwise && V.Operands.size() == 1)
        Calls[V.Operands[0]].push_back(Call);
}

/// Has \p By been computed whenever the derivative of \p I is, and in the same iterations?
bool ComputedCalls::isAtHand(const Instruction &By, const Instruction &I, bool InReverse) const {
  if (InReverse && By.getParent() == I.getParent())
    return true;
  const Loop *L = P.loops().getLoopFor(By.getParent());
  return P.dominators().dominates(&By, &I) && (!L || L->contains(&I));
}

void ComputedCalls::note(const Instruction &I, bool InReverse, function_ref<bool(unsigned)> Counts,
                         StepPlan &Steps) const {
  if (Calls.empty())
    return;
  const OpView V = viewOf(I, P.libraryInfo());
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    if (!Counts(Wrt))
      continue;
    for (RuleCall Called : callsOf(V, Wrt)) {
      auto Found = Calls.find(V.Operands[Called.Operand]);
      if (Found == Calls.end() || Steps.computedFor(I, Called))
        continue;
      auto By = find_if(Found->second, [&](const CallBase *C) {
        const OpView Its = viewOf(*C, P.libraryInfo());
        return Its.Id == Called.Fn && Its.Family == V.Family && C->getType() == I.getType() &&
               isAtHand(*C, I, InReverse);
      });
      if (By != Found->second.end())
        Steps.addComputed(I, {Called, *By});
    }
  }
}

} // namespace isozyme
