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
  /// \p InPlace: does somebody wish that this store does not wait?
  LateStores(const PreparedFunction &P, const DiffRequest &R, const ActivityResult &Activity,
             const CallPlanSet &Calls, const UnreadMemory &Unread,
             llvm::function_ref<bool(const llvm::StoreInst &)> InPlace);

  llvm::ArrayRef<llvm::StoreInst *> stores() const { return Stores; }
  bool contains(const llvm::StoreInst &S) const { return llvm::is_contained(Stores, &S); }
  /// Stores that could wait, and do not because of a wish.
  llvm::ArrayRef<llvm::StoreInst *> inPlace() const { return Kept; }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<llvm::StoreInst *, 4> Stores, Kept;
};

/// Is \p S one that runs exactly once, and whose operands are still there in the end?
bool runsOnce(const PreparedFunction &P, const llvm::StoreInst &S);

} // namespace isozyme

#endif
