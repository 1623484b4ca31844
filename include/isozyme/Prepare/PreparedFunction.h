//===- PreparedFunction.h - A function in legal form, frozen -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clone of a user's function that every later stage reads and none writes.
// It has the same semantics as the original and is in the legal set
// (LegalSet.h). Prepare has made explicit, as ordinary values, the facts on
// control flow that a reverse sweep needs:
//
//   * each loop has one i64 counter `iv` (0, 1, 2, ...), its first phi; every
//     affine induction variable is rewritten in terms of it;
//   * lastIV(L, Exit): the value of `iv` in the iteration that left the loop;
//     when the trip count is known before the loop it is a value of the preheader;
//   * where a loop looks for the nearest, the largest, ...: the iteration in which
//     it was found last (CanonicalLoop::Chosen);
//   * cameFrom(BB): for a block with several predecessors, other than a loop
//     header, an i8/i32 value in BB that says which predecessor control came
//     from, as its position in predecessorsOf(BB).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_PREPAREDFUNCTION_H
#define ISOZYME_PREPARE_PREPAREDFUNCTION_H

#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <optional>

namespace llvm {
class AAResults;
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class ScalarEvolution;
class TargetLibraryInfo;
struct SimplifyQuery;
} // namespace llvm

namespace isozyme {

/// What Prepare found out about one loop.
struct CanonicalLoop {
  llvm::Loop *L = nullptr;
  llvm::PHINode *IV = nullptr; ///< i64, 0, 1, 2, ... ; first phi of the header.
  /// The last value of IV, as a value available in the preheader (or an
  /// argument or constant); null when only known at run time.
  llvm::Value *LastIV = nullptr;
  /// The number of iterations, 0 where the loop is not reached: a constant, or
  /// computed before the loops around this one in which it does not change. Null
  /// where there is none, or where it cannot be known that early.
  llvm::Value *Extent = nullptr;
  /// LastIV == null: for each exit block, a phi of IV in that block.
  llvm::SmallMapVector<llvm::BasicBlock *, llvm::PHINode *, 2> ExitIV;
  /// Phis of the header that iterations hand on or replace (choicesOf), each with a phi behind the
  /// loop: the last iteration that has replaced it, or -1.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 1> Chosen;
};

class PreparedFunction {
public:
  PreparedFunction(llvm::Function &Original, llvm::Function &Clone,
                   llvm::FunctionAnalysisManager &FAM);
  ~PreparedFunction(); ///< Erases the clone.
  PreparedFunction(const PreparedFunction &) = delete;

  llvm::Function &function() const { return *Clone; }
  llvm::Function &original() const { return *Original; }
  llvm::FunctionAnalysisManager &analyses() const { return *FAM; }

  llvm::DominatorTree &dominators() const;
  llvm::LoopInfo &loops() const;
  llvm::ScalarEvolution &scalarEvolution() const;
  llvm::AAResults &aliasAnalysis() const;
  const llvm::TargetLibraryInfo &libraryInfo() const;
  /// What LLVM may use to tell what holds of values where \p At runs: the conditions of the
  /// branches that lead there, too.
  llvm::SimplifyQuery factsAt(const llvm::Instruction &At) const;

  const CanonicalLoop &canonical(const llvm::Loop *L) const;
  /// The value that IV of \p L had when control left to \p Exit.
  llvm::Value *lastIV(const llvm::Loop *L, llvm::BasicBlock *Exit) const;

  /// Unique predecessors that can reach control, in the order of the block list.
  llvm::ArrayRef<llvm::BasicBlock *> predecessorsOf(const llvm::BasicBlock *BB) const;
  /// Null for a block with one predecessor and for a loop header.
  llvm::Value *cameFrom(const llvm::BasicBlock *BB) const;

  /// The block of the only `ret`; null when the function never returns.
  llvm::BasicBlock *returnBlock() const { return ReturnBlock; }
  /// Blocks from which the return cannot be reached are not differentiated.
  bool reachesReturn(const llvm::BasicBlock *BB) const { return !Dead.contains(BB); }

  /// Position in the function, for deterministic order; arguments come first.
  unsigned numberOf(const llvm::Value *V) const;
  /// A place that outlives this clone, for diagnostics and remarks.
  Place placeOf(const llvm::Instruction *I) const;
  /// The name in the user's source where debug information has it, else the IR
  /// name without '%', else "".
  std::string sourceName(const llvm::Value *V) const;
  /// The variable that \p Ptr points into, with its type where debug information has it:
  /// "'x' (declared as 'const void *')"; "" if it has no name.
  std::string describeMemory(const llvm::Value *Ptr) const;

  void print(llvm::raw_ostream &OS) const;

private:
  friend class Preparer;
  llvm::Function *Original;
  llvm::Function *Clone;
  llvm::FunctionAnalysisManager *FAM;
  llvm::MapVector<const llvm::Loop *, CanonicalLoop> Loops;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>> Preds;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> CameFrom;
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  llvm::DenseMap<const llvm::BasicBlock *, bool> Dead;
  llvm::BasicBlock *ReturnBlock = nullptr;
  mutable std::optional<llvm::DomConditionCache> Conditions; ///< Made when first asked for.
};

} // namespace isozyme

#endif
