//===- Watch.h - Variables whose derivatives are printed ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -isozyme-watch=x: which values and accesses to memory of a prepared function belong
// to the variable `x` of the source, by debug information, and what they are called.
// Emission prints their derivatives as they are made.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_WATCH_H
#define ISOZYME_PLAN_WATCH_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include <set>
#include <string>

namespace isozyme {

class ActivityResult;

/// "x", or, in memory, "a[%lld].v": the indices are found when the program runs.
struct WatchedPlace {
  struct Index {
    uint64_t Stride; ///< Bytes.
    uint64_t Count;  ///< Of elements; 0: any.
  };
  std::string Name; ///< Of a printf, one %lld per index.
  /// Memory: what indices are counted from.
  llvm::Value *Base = nullptr;
  llvm::SmallVector<Index, 2> Indices;
};

struct WatchSet {
  llvm::MapVector<const llvm::Value *, WatchedPlace> Values;
  /// By load, store or atomic operation.
  llvm::MapVector<const llvm::Instruction *, WatchedPlace> Accesses;

  bool empty() const { return Values.empty() && Accesses.empty(); }
  const WatchedPlace *value(const llvm::Value *V) const;
  const WatchedPlace *access(const llvm::Instruction *I) const;
  void print(llvm::raw_ostream &OS) const;
};

/// What carries a derivative and belongs to a variable that is watched.
WatchSet findWatches(const PreparedFunction &P, const ActivityResult &Activity);

/// What was found of the variables that are watched, over all differentiated functions.
class WatchReport {
public:
  void note(const PreparedFunction &P, const ActivityResult &Activity, const WatchSet &Found);
  /// Warns of names that stand for nothing. \p Where: a call that asks for a derivative.
  void warnOfMissing(const Place &Where) const;

private:
  bool AnyDebugInfo = false, AnyFunction = false;
  std::set<std::string> Found, Without, Removed, Known;
};

} // namespace isozyme

#endif
