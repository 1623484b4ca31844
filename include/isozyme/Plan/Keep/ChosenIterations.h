//===- ChosenIterations.h - Loops of which one iteration counts --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (c ...) {                      reverse:  c = the one that was nearest
//     d = distance(x, c);                        the adjoint of distance(x, c)
//     if (d < nearest) nearest = d;
//   }
//
// Where all that leaves a loop is what one iteration has computed, the forward sweep notes which
// one it was (CanonicalLoop::Chosen), and the reverse sweep runs no other.
// In: steps, reverse CFG.  Out: the loops, and where the iteration is noted.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_CHOSENITERATIONS_H
#define ISOZYME_PLAN_KEEP_CHOSENITERATIONS_H

#include "isozyme/Values/Choices.h"

namespace llvm {
class Loop;
class raw_ostream;
class SelectInst;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;

struct ChosenIteration {
  const llvm::Loop *L = nullptr;
  llvm::PHINode *Last = nullptr; ///< Behind the loop: the iteration; -1: none.
  /// Phis of the header that are handed on, with an adjoint, and all choices on their ways.
  llvm::SmallSetVector<llvm::PHINode *, 2> Carried;
  Choices All;

  bool contains(const llvm::Value *V) const;
  /// What \p Carried is in the next iteration, or behind the loop.
  llvm::Instruction *next(const llvm::PHINode &Carried) const;
  /// In the iteration that counts, what \p Select has chosen; null: its condition tells.
  llvm::Value *alternative(const llvm::SelectInst &Select) const;
};

class ChosenIterations {
public:
  void add(ChosenIteration C) { All.push_back(std::move(C)); }
  llvm::ArrayRef<ChosenIteration> loops() const { return All; }
  /// Null where all iterations count.
  const ChosenIteration *find(const llvm::Loop *L) const;
  /// The loop that chooses by \p V, or hands it on.
  const ChosenIteration *of(const llvm::Value *V) const;
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<ChosenIteration, 1> All;
};

/// Steps and reverse CFG of \p Plan are decided.
ChosenIterations findChosenIterations(const DerivativePlan &Plan);

/// Null if the reverse of \p C has to run one iteration only, else the rule that it breaks.
const char *whyNotChosen(const DerivativePlan &Plan, const ChosenIteration &C);

} // namespace isozyme

#endif
