//===- CloneFunction.cpp - The private copy of the user's function ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the clone that Prepare works on, and takes away from it what concerns
// only the original symbol (linkage, comdat, section) or keeps passes from
// working on it (optnone, and the noinline that has to come with optnone).
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Function &cloneForPreparation(Function &F) {
  Function *Clone = &internalCopyOf(F);
  Clone->setName(F.getName() + ".prepared");
  if (Clone->hasFnAttribute(Attribute::OptimizeNone)) {
    Clone->removeFnAttr(Attribute::OptimizeNone);
    Clone->removeFnAttr(Attribute::NoInline);
  }
  // True of the symbol, not of a body that is only read and then deleted.
  for (auto Kind :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Cold, Attribute::Hot})
    Clone->removeFnAttr(Kind);
  clearMarkings(*Clone);
  setPreparedFrom(*Clone, F);
  dropAssignmentTracking(*Clone);
  return *Clone;
}

} // namespace isozyme
