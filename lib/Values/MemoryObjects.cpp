//===- MemoryObjects.cpp - What memory an address leads to ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace isozyme {

SmallVector<const Value *, 2> accessedObjects(const Value *Ptr, const Function &In) {
  SmallVector<const Value *, 2> Objects;
  getUnderlyingObjects(Ptr, Objects, nullptr, /*MaxLookup=*/0);
  auto isNowhere = [&](const Value *V) {
    return isa<ConstantPointerNull>(V) &&
           !NullPointerIsDefined(&In, V->getType()->getPointerAddressSpace());
  };
  if (!all_of(Objects, isNowhere))
    erase_if(Objects, isNowhere);
  return Objects;
}

} // namespace isozyme
