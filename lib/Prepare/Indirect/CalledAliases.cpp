//===- CalledAliases.cpp - Calls of functions by other names ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where nothing is optimised, code calls the constructor of a complete object, which is
// another name of that of a base. An analysis that asks a call for its function finds none,
// and has to take what it is passed for memory that anything may be done with.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/IndirectCalls.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

bool isozyme::callByOwnNames(Module &M) {
  bool Changed = false;
  for (GlobalAlias &Alias : M.aliases()) {
    auto *F = dyn_cast<Function>(Alias.getAliasee()->stripPointerCastsAndAliases());
    // An alias is this body, and a call of the function's name may reach another file's.
    bool MayBeOther = !F || F->isInterposable() || (Alias.isDSOLocal() && !F->isDSOLocal());
    if (MayBeOther || Alias.isInterposable())
      continue;
    Alias.replaceUsesWithIf(F, [&](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      bool IsCalled = Call && Call->isCallee(&U);
      Changed |= IsCalled;
      return IsCalled;
    });
  }
  return Changed;
}
