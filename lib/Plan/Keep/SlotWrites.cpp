//===- SlotWrites.cpp - When kept values are written to the tape ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/KeepDecision.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

Instruction *nextOf(const LoopInfo &Loops, Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  const Loop *L = Phi ? Loops.getLoopFor(Phi->getParent()) : nullptr;
  if (!L || L->getNumBlocks() != 1)
    return nullptr;
  auto *Next = dyn_cast<Instruction>(Phi->getIncomingValueForBlock(Phi->getParent()));
  return Next && Next->getParent() == Phi->getParent() ? Next : nullptr;
}

} // namespace isozyme
