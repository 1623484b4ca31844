//===- SwappedLoops.h - Reverse loops that change places --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for j: { s = 0; for k: s += a[i][k] * b[k][j]; c[i][j] = s; }
//
// The reverse of the inner loop goes down the columns of b and of its shadow. With the loop over j
// inside, it goes along their rows.
// In: steps, addresses. Out: pairs of loops.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ORDER_SWAPPEDLOOPS_H
#define ISOZYME_PLAN_ORDER_SWAPPEDLOOPS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Loop;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;
struct DerivativePlan;

/// Two loops, one in the other. Reversed, the inner one is outside.
struct SwappedNest {
  const llvm::Loop *Outer, *Inner;
};

class SwappedLoops {
public:
  void add(SwappedNest Nest) { Nests.push_back(Nest); }
  llvm::ArrayRef<SwappedNest> nests() const { return Nests; }
  /// Is \p L the inner loop of a pair?
  bool containsInner(const llvm::Loop *L) const;
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<SwappedNest, 2> Nests;
};

/// Steps, fused loops, the tape, and loops that count up are decided in \p Plan.
SwappedLoops findSwappedLoops(const DerivativePlan &Plan, const MemoryAvailability &Memory);

/// Null if \p Nest keeps the rules that do not need an analysis of memory, else the one it breaks.
const char *whyNotSwapped(const DerivativePlan &Plan, const SwappedNest &Nest);

} // namespace isozyme

#endif
