//===- SameInWarp.cpp - Is a value the same in all threads of a warp? -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's analysis of uniformity takes all that a function is passed, and all that it reads by
// generic addresses, for different. Here the arguments are known from the caller, and a guess is
// enough.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Target/SameInWarp.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// More values than these are not looked at.
static constexpr unsigned MostValues = 256;

/// Does \p I bring in something of its own that differs, whatever its operands are?
static bool differs(const Instruction &I, const Accelerator &Machine) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() || Load->isAtomic() ||
           isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand(), /*MaxLookup=*/0));
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.mayReadOrWriteMemory() || isa<AllocaInst>(I);
  if (Intrinsic::isTargetIntrinsic(Call->getIntrinsicID()))
    return !Machine.isSameInBlock(Call->getIntrinsicID());
  return !Call->doesNotAccessMemory() || Call->isConvergent();
}

bool isSameInWarp(const Value &V, function_ref<bool(const Argument &)> OfArgument) {
  SmallVector<const Value *, 16> Work = {&V};
  SmallPtrSet<const Value *, 32> Seen;
  while (!Work.empty()) {
    const Value *Each = Work.pop_back_val();
    if (isa<Constant, BasicBlock, MetadataAsValue>(Each) || !Seen.insert(Each).second)
      continue;
    if (Seen.size() > MostValues)
      return false;
    if (auto *A = dyn_cast<Argument>(Each)) {
      if (!isKernel(*A->getParent()) && !OfArgument(*A))
        return false;
      continue;
    }
    auto *I = dyn_cast<Instruction>(Each);
    const Accelerator *Machine = I ? acceleratorOf(*I->getModule()) : nullptr;
    if (!Machine || differs(*I, *Machine))
      return false;
    Work.append(I->value_op_begin(), I->value_op_end());
  }
  return true;
}

} // namespace isozyme
