//===- EntryExtent.h - What is known before a function runs -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ENTRYEXTENT_H
#define ISOZYME_PLAN_ENTRYEXTENT_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class SCEV;
} // namespace llvm

namespace isozyme {

/// Can the value be computed from the parameters before the function runs, whatever they are?
bool isKnownAtEntry(const llvm::Value *V, unsigned Depth = 0);
bool isKnownAtEntry(const llvm::SCEV *S);

/// A number of 64 bits that is known at entry, and between which it has to be.
struct AssumedValue {
  const llvm::SCEV *Value;
  int64_t Least, Most;
  bool operator==(const AssumedValue &) const = default;
};

/// An iteration of nested loops: of each either the first, or the last (true).
using LoopCorner = llvm::SmallDenseMap<const llvm::Loop *, bool, 4>;

/// The least or the largest that \p Offset, a number of bytes, is at \p At in all iterations of the
/// loops around it: a formula that is known at entry, or null. What it says holds if \p At is
/// reached at all. With \p Assumed, it may depend on these being so: that an index of fewer bits,
/// such as an int, does not overflow, and that the width of a row is not negative. \p Corner
/// becomes the iteration in which it is that.
const llvm::SCEV *extremeAtEntry(const PreparedFunction &P, const llvm::SCEV *Offset,
                                 const llvm::Instruction &At, bool Largest,
                                 llvm::SmallVectorImpl<AssumedValue> *Assumed = nullptr,
                                 LoopCorner *Corner = nullptr);

/// Adds \p S to \p Formulas, of which the least or the largest counts: of those whose distance is a
/// constant, one says all.
void addExtreme(llvm::ScalarEvolution &SE, llvm::SmallVectorImpl<const llvm::SCEV *> &Formulas,
                const llvm::SCEV *S, bool Largest);

/// What \p S is in the iteration \p Corner of \p L, which may be null, and all loops around it;
/// null where that is not known at entry.
const llvm::SCEV *valueAtCorner(const PreparedFunction &P, const llvm::SCEV *S, const llvm::Loop *L,
                                const LoopCorner &Corner);

} // namespace isozyme

#endif
