//===- LateStores.h - Stores that can wait for the reverse sweep -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i ...) sum += x[i] * x[i];
//   *result = sum;          may overwrite x, which the reverse sweep reads
//
// A combined derivative does such a store after its reverse sweep. It overwrites nothing
// then. In: a prepared function, a request, what its calls do.  Out: stores, in the
// order of the program.  Never: changes what a store that comes later would see.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_LATESTORES_H
#define ISOZYME_NEEDS_LATESTORES_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/UnreadMemory.h"

namespace llvm {
class StoreInst;
} // namespace llvm

namespace isozyme {

class LateStores {
public:
  LateStores() = default;
  LateStores(const PreparedFunction &P, const DiffRequest &R, const ActivityResult &Activity,
             const CallPlanSet &Calls, const UnreadMemory &Unread);

  llvm::ArrayRef<llvm::StoreInst *> stores() const { return Stores; }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<llvm::StoreInst *, 4> Stores;
};

/// Is \p S one that runs exactly once, and whose operands are still there in the end?
bool runsOnce(const PreparedFunction &P, const llvm::StoreInst &S);

} // namespace isozyme

#endif
