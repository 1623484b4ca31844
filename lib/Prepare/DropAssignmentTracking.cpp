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
//   #dbg_assign(poison, !x, none, !id, ptr %a, none)  ->  #dbg_value(ptr %a, !x, deref)
//
// The second is the place of an array that nothing has been stored to as a whole.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

static bool isPlaceAlone(const DbgVariableRecord &Assign) {
  return Assign.isKillLocation() && isa_and_nonnull<AllocaInst>(Assign.getAddress()) &&
         Assign.getExpression()->getNumElements() == 0 &&
         Assign.getAddressExpression()->getNumElements() == 0;
}

/// The same without the id: the location as it is, computed from several values, or none.
static DbgVariableRecord *withoutId(const DbgVariableRecord &Assign) {
  if (!isPlaceAlone(Assign))
    return new DbgVariableRecord(Assign.getRawLocation(), Assign.getVariable(),
                                 Assign.getExpression(), Assign.getDebugLoc());
  LLVMContext &C = Assign.getVariable()->getContext();
  return new DbgVariableRecord(ValueAsMetadata::get(Assign.getAddress()), Assign.getVariable(),
                               DIExpression::get(C, {dwarf::DW_OP_deref}), Assign.getDebugLoc());
}

void dropAssignmentTracking(Function &F) {
  for (Instruction &I : instructions(F)) {
    I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
    for (DbgRecord &Record : make_early_inc_range(I.getDbgRecordRange())) {
      auto *Assign = dyn_cast<DbgVariableRecord>(&Record);
      if (!Assign || !Assign->isDbgAssign())
        continue;
      withoutId(*Assign)->insertBefore(Assign);
      Assign->eraseFromParent();
    }
  }
}

} // namespace isozyme
