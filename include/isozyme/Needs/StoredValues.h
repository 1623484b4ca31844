//===- StoredValues.h - Loads of what was just stored ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (j ...) {                       scratch is overwritten in each iteration of j
//     for (i ...) scratch[i] = x[i] - y[j * n + i];
//     for (k ...) sum += w[k] * scratch[k] * scratch[k];
//   }
//
// A load that cannot be repeated may read what a known store has put there in the same
// iteration of the loops around both. Then the value is the one that was stored, in that
// iteration of the store's loop, and can be had as that can. In: a prepared function, its
// writes.  Out: store and iteration.  Never: guesses that two addresses are the same.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_STOREDVALUES_H
#define ISOZYME_NEEDS_STOREDVALUES_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class LoadInst;
class SCEV;
class StoreInst;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;

/// What a load reads: the value of Store in the iteration of Writes whose number is that
/// of Reads, which is around the load, plus Shift. Both are null where the store is in no
/// other loops than those around the load, too.
struct StoredValue {
  llvm::StoreInst *Store = nullptr;
  const llvm::Loop *Writes = nullptr, *Reads = nullptr;
  int64_t Shift = 0;
};

class StoredValues {
public:
  StoredValues(const PreparedFunction &P, const MemoryAvailability &Memory);

  std::optional<StoredValue> of(const llvm::LoadInst &L) const;

private:
  std::optional<StoredValue> match(llvm::StoreInst &S, const llvm::LoadInst &L,
                                   const llvm::SCEV *At) const;
  std::optional<StoredValue> matchLoops(llvm::StoreInst &S, const llvm::LoadInst &L,
                                        const llvm::SCEV *At) const;

  const PreparedFunction &P;
  const MemoryAvailability &Memory;
  /// By the pointer that the address begins with, in program order.
  llvm::DenseMap<const llvm::SCEV *, llvm::SmallVector<llvm::StoreInst *, 2>> Stores;
};

} // namespace isozyme

#endif
