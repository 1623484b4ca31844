//===- AtomicCounts.h - How often a thread adds atomically ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ATOMICCOUNTS_H
#define ISOZYME_PLAN_ATOMICCOUNTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace llvm {
class Loop;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;
struct Step;

/// The atomic operations that the reverse sweep of one thread adds to the function, at most: fewer
/// where it takes another way.
struct AtomicCounts {
  struct Group {
    uint64_t Count = 0;
    llvm::SmallVector<const llvm::Loop *, 2> Loops; ///< They run it, the outermost one first.
    bool OnceForWarp = false; ///< Where all threads of a warp come together, one does it for all.
  };
  llvm::SmallVector<Group, 2> Groups;
  bool HasCopies = false; ///< And one for each number in memory that is copied.
  bool HasCalls = false;  ///< And those of functions that are called.

  bool empty() const { return Groups.empty() && !HasCopies && !HasCalls; }
  /// What has no number, in words.
  llvm::SmallVector<const char *, 2> others() const;
  /// `3 + 2 * (%last+1), and 1 once for a warp`; \p Times says what the loops of a group multiply
  /// with.
  std::string text(llvm::function_ref<std::string(llvm::ArrayRef<const llvm::Loop *>)> Times) const;

private:
  std::string sum(bool OnceForWarp,
                  llvm::function_ref<std::string(llvm::ArrayRef<const llvm::Loop *>)> Times) const;
};

/// Does the reverse sweep touch the shadow by an atomic operation?
bool isAtomic(const Step &S);
AtomicCounts atomicCountsOf(const DerivativePlan &Plan);

} // namespace isozyme

#endif
