//===- CarriedSums.h - Adjoints of neighbours, in registers ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   y[i] = f(x[i - 1], x[i], x[i + 1])
//
// The reverse of such a loop adds to three neighbours in x's shadow, and the next iteration
// to two of the same. Instead, what the iterations add to one element is summed up in
// registers: each element is read and written once, by the last iteration that adds to it. So is
// what all iterations add to the element that each of them reads, as x[0]: behind the loop it is
// added to memory once.
// In: steps, addresses. Out: the loads, and for how many iterations their shares are carried.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ORDER_CARRIEDSUMS_H
#define ISOZYME_PLAN_ORDER_CARRIEDSUMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class LoadInst;
class Loop;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;
class RisingLoops;
struct DerivativePlan;

/// Loads of neighbours in one iteration, or one load of the same element in each.
struct CarriedSum {
  struct Member {
    llvm::LoadInst *Load;
    /// After so many more iterations of the reverse sweep its share is in memory.
    unsigned Delay;
  };
  const llvm::Loop *L = nullptr; ///< Where neighbours are read, a loop of one block.
  int64_t Step = 0;              ///< From one iteration to the next, in bytes.
  bool Rises = false;            ///< The reverse of L counts up.
  /// In program order. A delay in between that none has is that of an element which other
  /// iterations read.
  llvm::SmallVector<Member, 4> Members;

  bool isOfOneElement() const { return Step == 0; }
  /// What is added to memory in an iteration is added where the one without delay reads.
  /// Null: there is none.
  llvm::LoadInst *withDelay(unsigned Delay) const;
  unsigned longestDelay() const;
  /// How many elements each iteration reads.
  unsigned elements() const;
  /// Of the reverse sweep's last iteration and those before it, which read the element that has a
  /// share pending after this delay? 0: the last one, 1: the one before, and so on.
  unsigned readBefore(unsigned Delay) const;
  /// The one that reads furthest ahead, after which a file of plans calls the sum.
  llvm::LoadInst *furthestAhead() const { return withDelay(Rises ? longestDelay() : 0); }
  /// Where, seen from what the one without delay reads, the element is that has a share pending.
  int64_t pendingAt(unsigned Delay) const { return (Rises ? Step : -Step) * int64_t(Delay); }
};

class CarriedSums {
public:
  void add(CarriedSum Sum) { Sums.push_back(std::move(Sum)); }
  void leave(CarriedSum Sum) { Left.push_back(std::move(Sum)); }
  llvm::ArrayRef<CarriedSum> sums() const { return Sums; }
  /// Sums that could be carried, and are not because of a wish.
  llvm::ArrayRef<CarriedSum> left() const { return Left; }
  /// Null where the share of \p Load is added at once.
  const CarriedSum *find(const llvm::LoadInst &Load) const;
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<CarriedSum, 2> Sums, Left;
};

/// Steps and fused loops of \p Plan are decided. \p AtOnce: does somebody wish that the shares
/// of the sum that is called after this load are added to memory at once? \p Rising: receives loops
/// that count up for the sake of these sums.
CarriedSums findCarriedSums(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                            llvm::function_ref<bool(const llvm::LoadInst &)> AtOnce,
                            RisingLoops &Rising);

/// Null if \p Sum keeps the rules that do not need an analysis of memory, else the one it breaks:
/// those on the form of the loop, on steps, and on the distances of addresses, where they are
/// known.
const char *whyNotCarried(const DerivativePlan &Plan, const CarriedSum &Sum);

} // namespace isozyme

#endif
