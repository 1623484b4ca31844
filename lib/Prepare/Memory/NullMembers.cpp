//===- NullMembers.cpp - Reads of a record that is not there ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %next = load ptr, ptr inttoptr (i64 16 to ptr)     becomes     null
//
// This is `head->next` on a way where `head` is null, as inlined code shows. A run that takes it
// stops there. Such memory has no owner and no shadow, and would be an exception to all rules.
//
// Needs: values in registers. Never: touches volatile accesses, or code where address 0 is memory.
//
//===----------------------------------------------------------------------===//
#include "../Steps.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// Is \p Address near zero, where no system has memory?
static bool isInFirstPage(const Value &Address, const DataLayout &DL) {
  constexpr uint64_t PageSize = 4096;
  APInt Offset(DL.getIndexTypeSizeInBits(Address.getType()), 0);
  const Value *Base = Address.stripAndAccumulateConstantOffsets(DL, Offset, true);
  if (Operator::getOpcode(Base) == Instruction::IntToPtr)
    if (auto *Number = dyn_cast<ConstantInt>(cast<Operator>(Base)->getOperand(0)))
      return (Number->getValue().zextOrTrunc(Offset.getBitWidth()) + Offset).ult(PageSize);
  return isa<ConstantPointerNull>(Base) && Offset.ult(PageSize);
}

void dropNullMembers(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple() || NullPointerIsDefined(&F, Load->getPointerAddressSpace()) ||
        !isInFirstPage(*Load->getPointerOperand(), DL))
      continue;
    Load->replaceAllUsesWith(Constant::getNullValue(Load->getType()));
    Load->eraseFromParent();
  }
}

} // namespace isozyme
