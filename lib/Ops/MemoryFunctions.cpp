//===- MemoryFunctions.cpp - Functions that manage memory, by name --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked of functions that a call through a pointer may reach. What such a call does is
// told by KnownCalls, once it is a direct one.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace isozyme {

bool managesMemory(const Function &F) {
  return makesArrays(F) || allocationLike(F) ||
         is_contained({"free", "realloc", "_Znwm", "_ZdlPv", "_ZdaPv"}, F.getName());
}

} // namespace isozyme
