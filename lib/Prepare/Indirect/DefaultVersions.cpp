//===- DefaultVersions.cpp - Functions with a version for each processor ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __attribute__((target_clones("avx2", "default"))) double f(double x)
//
//   @f = ifunc double (double), ptr @f.resolver     ; returns @f.avx2.0 or @f.default.1
//   call double @f(double %x)   ->   call double @f.default.1(double %x)
//
// The versions compute the same. The program itself goes on calling that which fits.
//
//===----------------------------------------------------------------------===//
#include "../Steps.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// Null, if none of those that the resolver may return is the default one, by its name.
static Function *defaultVersionOf(const GlobalIFunc &Versions) {
  const Function *Resolver = Versions.getResolverFunction();
  if (!Resolver)
    return nullptr;
  for (const Instruction &I : instructions(*Resolver))
    for (const Value *Operand : I.operands())
      if (auto *F = dyn_cast<Function>(Operand->stripPointerCasts());
          F && !F->isDeclaration() && F->getName().contains(".default") &&
          F->getFunctionType() == Versions.getValueType())
        return const_cast<Function *>(F);
  return nullptr;
}

void callDefaultVersions(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Versions =
        Call ? dyn_cast<GlobalIFunc>(Call->getCalledOperand()->stripPointerCastsAndAliases())
             : nullptr;
    Function *Default = Versions ? defaultVersionOf(*Versions) : nullptr;
    if (Default && Default->getFunctionType() == Call->getFunctionType())
      Call->setCalledFunction(Default);
  }
}

} // namespace isozyme
