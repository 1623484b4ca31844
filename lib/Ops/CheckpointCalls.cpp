//===- CheckpointCalls.cpp - Marks of loops to run in parts ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static constexpr StringLiteral Mark = "isozyme_checkpoint";

bool isCheckpointCall(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand());
  return F && F->isDeclaration() && F->getName() == Mark && Call.getType()->isVoidTy();
}

void describeCheckpointCalls(Module &M) {
  Function *F = M.getFunction(Mark);
  if (!F || !F->isDeclaration())
    return;
  // It hinders no optimisation but its own removal.
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->addFnAttr(Attribute::NoFree);
  F->addFnAttr(Attribute::NoSync);
  F->addFnAttr(Attribute::NoCallback);
}

bool eraseCheckpointCalls(Module &M) {
  Function *F = M.getFunction(Mark);
  if (!F || !F->isDeclaration())
    return false;
  for (User *U : make_early_inc_range(F->users()))
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && isCheckpointCall(*Call) && !Call->isTerminator())
      Call->eraseFromParent();
  if (F->use_empty())
    F->eraseFromParent();
  return true;
}

bool runsParts(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && (F->getName() == marking::PartsForward || F->getName() == marking::PartsBackward);
}

} // namespace isozyme
