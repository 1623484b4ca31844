//===- ReadReplacer.h - Parameters in place of loads ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_READREPLACER_H
#define ISOZYME_PLAN_VERSIONS_READREPLACER_H

#include "isozyme/Plan/Versions/EntryReads.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include <optional>
#include <tuple>

namespace isozyme {

/// Replaces loads in a function that has parameters for what they read.
class ReadReplacer {
public:
  ReadReplacer(llvm::Function &Copy, unsigned Own, llvm::ArrayRef<EntryRead> Reads)
      : Copy(Copy), Own(Own), Reads(Reads), Read(Reads.size()), Safe(Reads.size()) {}
  void run();
  bool isRead(unsigned N) const { return Read[N]; }
  bool isSafe(unsigned N) const { return Safe[N]; }

private:
  /// A structure in memory: where it begins, and its declared type.
  using Object = std::tuple<const llvm::Value *, int64_t, const llvm::MDNode *>;

  static std::optional<Object> objectOf(const llvm::Instruction &I, Word W);
  std::optional<unsigned> numberOf(const llvm::LoadInst &Load) const;
  bool isSureToRun(const llvm::Instruction &I) const;
  void findObjects();
  bool isInSureObject(const llvm::LoadInst &Load, Word W) const;

  llvm::Function &Copy;
  const unsigned Own;
  llvm::ArrayRef<EntryRead> Reads;
  llvm::SmallVector<bool, 8> Read, Safe;
  /// The instructions in front of this one run whenever the function does.
  const llvm::Instruction *FirstUnsure = nullptr;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> SureBlocks;
  /// Those that are accessed whenever the function runs.
  llvm::SmallSet<Object, 4> Objects;
};

} // namespace isozyme

#endif
