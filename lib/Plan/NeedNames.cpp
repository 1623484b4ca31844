//===- NeedNames.cpp - Names of values that last from run to run -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that printed plans have.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

NeedNames::NeedNames(const PreparedFunction &P) : Slots(P.function().getParent()) {
  Slots.incorporateFunction(P.function());
}

std::string NeedNames::nameOf(const Value *V) {
  if (auto *I = dyn_cast<Instruction>(V); I && I->getType()->isVoidTy()) {
    auto *Call = dyn_cast<CallBase>(I);
    return nameWithoutResult(*I, Call ? nameOf(Call->getCalledOperand()) : "");
  }
  std::string Name;
  raw_string_ostream OS(Name);
  V->printAsOperand(OS, isa<ConstantData>(V), Slots);
  return Name;
}

std::string NeedNames::nameOf(const Need &N) {
  std::string Name = nameOf(N.V);
  raw_string_ostream(Name) << ' ' << N.P;
  return Name;
}

static unsigned lineAt(const DebugLoc &Loc) { return Loc ? lineOfUser(Loc)->getLine() : 0; }

unsigned NeedNames::lineOf(const Value *V) { return lineAt(placeInSource(V)); }

unsigned NeedNames::lineOf(const Loop *L) { return lineAt(L->getStartLoc()); }

} // namespace isozyme
