//===- ReverseCFG.h - How the reverse sweep walks the blocks -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of each block ends by going to the reverse of the block that
// control came from. This says how that block is found. Regions in which nothing
// is active are stepped over, whole loops included.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_REVERSECFG_H
#define ISOZYME_PLAN_REVERSECFG_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace isozyme {

struct ReverseStep {
  enum Kind : uint8_t {
    End,    ///< The entry block: the reverse sweep ends here.
    Single, ///< Always from Target.
    Loop,   ///< A loop header: preheader when iv is 0, else the latch.
    Choose, ///< cameFrom() says which of predecessorsOf().
    Skip,   ///< Nothing active between Target and this block.
  };
  Kind K = End;
  llvm::BasicBlock *Target = nullptr;
};

class ReverseCFG {
public:
  /// \p HasReverseAction: does the reverse sweep do anything for this instruction?
  ReverseCFG(const PreparedFunction &P,
             llvm::function_ref<bool(const llvm::Instruction &)> HasReverseAction);

  /// Blocks of the reverse sweep, from the return block backwards.
  const llvm::MapVector<llvm::BasicBlock *, ReverseStep> &steps() const { return Steps; }
  bool contains(const llvm::BasicBlock *BB) const {
    return Steps.count(const_cast<llvm::BasicBlock *>(BB));
  }
  /// Loops whose iterations are run in reverse.
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops.getArrayRef(); }

  /// The loops that the edge From -> To leaves, outermost first.
  static llvm::SmallVector<const llvm::Loop *, 2>
  loopsLeft(const PreparedFunction &P, const llvm::BasicBlock *From, const llvm::BasicBlock *To);

  /// \p Rises: does a loop count up?
  void print(const PreparedFunction &P, llvm::function_ref<bool(const llvm::Loop *)> Rises,
             llvm::raw_ostream &OS) const;

private:
  ReverseStep stepFor(const PreparedFunction &P, llvm::BasicBlock *BB) const;
  llvm::BasicBlock *skipTarget(const PreparedFunction &P, llvm::BasicBlock *BB) const;

  llvm::DenseSet<const llvm::BasicBlock *> Relevant;
  llvm::MapVector<llvm::BasicBlock *, ReverseStep> Steps;
  llvm::SetVector<const llvm::Loop *> Loops;
};

} // namespace isozyme

#endif
