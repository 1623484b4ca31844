//===- GlobalsOfRoutines.cpp - What a function that is run later uses -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlobalsOfRoutines.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

/// What is known of a function by its declaration is enough for intrinsics only.
static bool isSeen(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && (F->isIntrinsic() || F->hasExactDefinition());
}

GlobalsOfRoutines::GlobalsOfRoutines(const CallBase &Call) {
  bool Any = false;
  for (const Use &U : Call.args())
    if (auto *Routine = dyn_cast<Function>(U->stripPointerCastsAndAliases())) {
      Any = true;
      addUsed(*Routine);
    }
  MayUseAny |= !Any;
}

void GlobalsOfRoutines::addUsed(const Function &Routine) {
  MayUseAny |= !Routine.hasExactDefinition();
  SmallSetVector<const Value *, 16> Work;
  Work.insert(&Routine);
  for (size_t Next = 0; Next != Work.size(); ++Next) {
    const Value *V = Work[Next];
    if (auto *GV = dyn_cast<GlobalVariable>(V))
      Used.insert(GV);
    if (auto *C = dyn_cast<Constant>(V); C && !isa<Function>(C))
      for (const Use &U : C->operands())
        Work.insert(U.get());
    auto *F = dyn_cast<Function>(V);
    if (!F)
      continue;
    for (const Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      MayUseAny |= Call && !isSeen(*Call);
      for (const Use &U : I.operands())
        if (isa<Constant>(U.get()))
          Work.insert(U.get());
    }
  }
}

bool GlobalsOfRoutines::mayUse(const GlobalVariable &GV) const {
  return !GV.isConstant() && (MayUseAny || Used.contains(&GV));
}

} // namespace isozyme
