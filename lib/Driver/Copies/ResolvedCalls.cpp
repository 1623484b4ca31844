//===- ResolvedCalls.cpp - Indirect calls resolved, for a while ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/ResolvedCalls.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace isozyme {

/// Removes what inlined functions do for other callers, before anyone draws conclusions
/// from it (the manager of a std::function does one of four things, as it is told).
void ResolvedCalls::simplify() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(InstSimplifyPass());
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().setSimplifyCondBranch(false).speculateBlocks(false)));
  for (Function *F : Calls.changed())
    FAM.invalidate(*F, Passes.run(*F, FAM));
}

} // namespace isozyme
