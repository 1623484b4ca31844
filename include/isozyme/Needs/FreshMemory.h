//===- FreshMemory.h - Memory that the derivative has made -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives are added up in the reverse sweep. Before it, the shadow of memory that the forward
// sweep has made holds addresses and zeros, while that of the user's memory may hold derivatives
// of the result. So where fresh memory is set to zero, its shadow may be, too: nobody has to know
// what lies there.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_FRESHMEMORY_H
#define ISOZYME_NEEDS_FRESHMEMORY_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Types/TypeResult.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace isozyme {

class FreshMemory {
public:
  FreshMemory(const TypeResult &Types, const DiffRequest &R, const llvm::TargetLibraryInfo &TLI);
  /// Has the derivative made all that \p Ptr may point to? Where the graph has one node for it and
  /// for the user's memory, the allocation that the address comes from still tells.
  bool holds(const llvm::Value *Ptr) const;
  /// And all that is reached from there?
  bool holdsAllBehind(const llvm::Value *Ptr) const;

private:
  const TypeResult &Types;
  const llvm::TargetLibraryInfo &TLI;
  llvm::SmallVector<bool> Old; ///< By node of the graph, with all that old memory leads to.
};

/// Tells callees that fill memory which arguments lead to fresh memory.
void noteFreshArguments(const FreshMemory &Fresh, CalleeEffects &Effects, CallPlanSet &Calls);

} // namespace isozyme

#endif
