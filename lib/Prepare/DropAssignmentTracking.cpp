//===- DropAssignmentTracking.cpp - Plain debug records only --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignment tracking ties a #dbg_assign record to a store by an id that is
// unique in the module. A derivative copies stores and allocas several times over,
// so the ids go, and the records become plain values:
//
//   #dbg_assign(double %v, !x, !e, !id, ptr %a, ...)  ->  #dbg_value(double %v, !x, !e)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

void dropAssignmentTracking(Function &F) {
  for (Instruction &I : instructions(F)) {
    I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
    for (DbgRecord &Record : make_early_inc_range(I.getDbgRecordRange())) {
      auto *Assign = dyn_cast<DbgVariableRecord>(&Record);
      if (!Assign || !Assign->isDbgAssign())
        continue;
      // The location as it is: it may be computed from several values, or be none.
      auto *Plain = new DbgVariableRecord(Assign->getRawLocation(), Assign->getVariable(),
                                          Assign->getExpression(), Assign->getDebugLoc());
      Plain->insertBefore(Assign);
      Assign->eraseFromParent();
    }
  }
}

} // namespace isozyme
