//===- StoreExchangedConstants.cpp - Exchanges for nothing ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where nobody asks what was there, an exchange is a store:
//
//   %old = atomicrmw xchg ptr %p, i32 0 seq_cst    ->  store atomic i32 0, ptr %p seq_cst
//
// Only constants: several threads may exchange at one place, and the adjoint of what stays there
// belongs to the last of them, which nobody knows. A constant has none.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

/// What a store may have of it. Who does not look at what was there does not know whom to wait for.
static AtomicOrdering orderingOfStore(AtomicOrdering Ordering) {
  switch (Ordering) {
  case AtomicOrdering::Acquire:
    return AtomicOrdering::Monotonic;
  case AtomicOrdering::AcquireRelease:
    return AtomicOrdering::Release;
  default:
    return Ordering;
  }
}

void storeExchangedConstants(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Exchange = dyn_cast<AtomicRMWInst>(&I);
    if (!Exchange || Exchange->getOperation() != AtomicRMWInst::Xchg || !Exchange->use_empty() ||
        !isa<ConstantData>(Exchange->getValOperand()))
      continue;
    IRBuilder<> B(Exchange);
    StoreInst *Store =
        B.CreateAlignedStore(Exchange->getValOperand(), Exchange->getPointerOperand(),
                             Exchange->getAlign(), Exchange->isVolatile());
    Store->setAtomic(orderingOfStore(Exchange->getOrdering()), Exchange->getSyncScopeID());
    Exchange->eraseFromParent();
  }
}

} // namespace isozyme
