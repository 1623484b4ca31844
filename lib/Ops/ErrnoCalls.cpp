//===- ErrnoCalls.cpp - Calls that write to errno at most -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ErrnoCalls.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

bool writesErrnoAtMost(const CallBase &Call, const TargetLibraryInfo &TLI) {
  if (isa<IntrinsicInst>(Call))
    return false;
  OpView V = viewOf(Call, TLI);
  return (V.Class == OpClass::Elementwise || V.Class == OpClass::Zero) &&
         none_of(Call.args(), [](const Use &U) { return U->getType()->isPointerTy(); });
}

} // namespace isozyme
