//===- ScratchMemory.h - What one iteration writes and reads -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_SCRATCHMEMORY_H
#define ISOZYME_LIB_PLAN_SCRATCHMEMORY_H

#include "isozyme/Needs/StoredValues.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class MemSetInst;
class SCEV;
} // namespace llvm

namespace isozyme {

/// Blocks and locals of a function that nobody but one of its loops writes or reads.
class ScratchMemory {
public:
  ScratchMemory(const PreparedFunction &P, const llvm::Loop &L, const StoredValues &Stored)
      : P(P), L(L), Stored(Stored) {}

  /// Does \p Ptr lead to such memory, and nowhere else?
  bool holds(const llvm::Value *Ptr);
  /// Does \p Ptr lead to such memory only, and does the loop write there?
  bool isWritten(const llvm::Value *Ptr);
  /// Has the iteration that \p Load is in written all that it reads?
  bool isWrittenBefore(llvm::LoadInst &Load);

private:
  /// The block or local that \p Ptr leads to; null if that is not one.
  const llvm::Value *objectOf(const llvm::Value *Ptr) const;
  bool isPrivate(const llvm::Value *Object) const;
  bool isPassedBefore(const llvm::BasicBlock *BB, const llvm::LoadInst &Load) const;
  bool isLeftBefore(const llvm::Loop &N, const llvm::LoadInst &Load) const;
  bool holdsAt(const llvm::Value *Condition, bool True, const llvm::BasicBlock *Above,
               const llvm::BasicBlock *At) const;
  bool liesBetween(const llvm::LoadInst &Load, const llvm::Loop *Within, const llvm::SCEV *First,
                   const llvm::SCEV *Last) const;
  bool covers(llvm::MemSetInst &M, llvm::LoadInst &Load) const;
  bool covers(llvm::StoreInst &S, llvm::LoadInst &Load) const;
  const llvm::SCEV *extreme(const llvm::SCEV *Address, const llvm::Loop *Within,
                            const llvm::LoadInst &Load, bool Last) const;

  const PreparedFunction &P;
  const llvm::Loop &L;
  const StoredValues &Stored;
  llvm::DenseMap<const llvm::Value *, bool> Private;
};

} // namespace isozyme

#endif
