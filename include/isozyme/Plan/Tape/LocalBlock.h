//===- LocalBlock.h - Locals that outlive the forward half -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   void fft(vector &a) { vector even, odd; ... fft(even); fft(odd); ... }
//
// The reverse half of fft needs both vectors and their shadows, which therefore lie on the tape:
// four blocks of 24 bytes, each with a call that makes and one that releases it. Small ones share
// one block. Large ones stay apart: LLVM then sees that loops over them do not meet.
// In: the request, what is kept. Out: a place in the block for each local.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_TAPE_LOCALBLOCK_H
#define ISOZYME_PLAN_TAPE_LOCALBLOCK_H

#include "isozyme/Needs/NeedSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class AllocaInst;
class raw_ostream;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;

/// The block of one activation, in memory of the thread.
class LocalBlock {
public:
  struct Member {
    llvm::AllocaInst *Local;
    Part Which;
    uint64_t Offset; ///< Of the first lane.
    uint64_t Stride; ///< From lane to lane.
  };

  /// In program order. Empty: each local has a block of its own.
  llvm::ArrayRef<Member> members() const { return Members; }
  uint64_t bytes() const { return Bytes; }
  /// Adds \p Local with \p Lanes copies behind the others.
  void add(llvm::AllocaInst *Local, Part Which, unsigned Lanes);
  const Member *find(const llvm::AllocaInst *Local, Part Which) const;
  /// The local in front of which the block is made, and in whose reverse it is released.
  llvm::AllocaInst *first() const { return Members.empty() ? nullptr : Members.front().Local; }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<Member, 4> Members;
  uint64_t Bytes = 0;
};

/// What is kept, and where the tape lies, is decided in \p Plan.
LocalBlock findLocalBlock(const DerivativePlan &Plan);

/// Null if \p Local may share the block of \p Plan, else the rule that it breaks.
const char *whyApart(const DerivativePlan &Plan, llvm::AllocaInst *Local, Part Which);

} // namespace isozyme

#endif
