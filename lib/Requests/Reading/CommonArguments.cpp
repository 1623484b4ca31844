//===- CommonArguments.cpp - What all threads of a warp pass --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallReader.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/SameInWarp.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void noteCommonArguments(MarkerCall &M) {
  DiffRequest &R = M.Request;
  if (R.Mode != DiffMode::Reverse || !acceleratorOf(*M.Call->getModule()))
    return;
  auto isSame = [](const Value *V) {
    return V && isSameInWarp(*V, [](const Argument &) { return false; });
  };
  SmallVector<bool, 8> Common;
  for (const CallArgument &A : M.Arguments)
    Common.push_back(!A.ByRef && isSame(A.Primal) && (!A.Stride || isSame(A.Stride)) &&
                     all_of(A.Shadows, isSame));
  if (is_contained(Common, true))
    R.Common = std::move(Common);
}

} // namespace isozyme
