//===- FusedLoops.h - Loops that run in the reverse sweep only ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i ...) {                      forward:  nothing
//     for (j ...) t[j] = f(x, i, j);   reverse:  for (i ...) { the iteration; its adjoint }
//     sum += g(t);                     then:     what is computed from sum
//   }
//
// The iterations of such a loop are independent but for sums, and the adjoint of a sum is
// the same in all of them. Each is run in the reverse sweep, at once followed by its
// adjoint, in the order of the source; what is kept is that of one iteration. In: needs,
// steps, memory.  Out: the loops, and what is computed after the reverse sweep.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_FUSEDLOOPS_H
#define ISOZYME_PLAN_KEEP_FUSEDLOOPS_H

#include "isozyme/Plan/Keep/KeepWishes.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace isozyme {

class MemoryAvailability;
class StoredValues;
struct DerivativePlan;
struct Need;

/// A loop in no other, left by its latch only, which the forward sweep leaves out.
struct FusedLoop {
  const llvm::Loop *L = nullptr;
  /// Values of its last iteration that are used after it, each by a phi of one value.
  llvm::SmallVector<llvm::Instruction *, 2> Results;
  /// What is computed from these, in program order: done after the reverse sweep.
  llvm::SmallVector<llvm::Instruction *, 8> Late;

  llvm::BasicBlock *latch() const;
  llvm::BasicBlock *exit() const;
  /// Phis of the header but for the counter: they go on from iteration to iteration.
  llvm::SmallVector<llvm::PHINode *, 4> carried(const PreparedFunction &P) const;
  /// What the iterations read that is computed before the loop.
  llvm::SmallSetVector<llvm::Value *, 16> inputs(const PreparedFunction &P) const;
};

/// Why an outermost loop is fused or not.
struct LoopChoice {
  const llvm::Loop *L = nullptr;
  /// Why it cannot run in the reverse sweep only; null: it can.
  const char *WhyNot = nullptr;
  bool ByFile = false; ///< A file of plans says what is done.
  /// What an iteration computes, and what it costs to keep what its adjoint needs, in simple
  /// operations.
  uint64_t Work = 0, Keeping = 0;

  /// Is so little kept that the iteration would only be moved? In a loop without adjoints the
  /// processor, or vectors, run several iterations at once.
  bool keepsLittle() const { return Keeping && Keeping * 8 < Work; }
  /// Can it run in the reverse sweep only, but would not be faster?
  bool isLeftForCost() const { return !WhyNot && !ByFile && keepsLittle(); }
};

class FusedLoops {
public:
  void add(FusedLoop L) { Loops.push_back(std::move(L)); }
  void note(LoopChoice C) { Choices.push_back(C); }
  /// Of the outermost loops, in the order of the reverse sweep.
  llvm::ArrayRef<LoopChoice> choices() const { return Choices; }
  llvm::ArrayRef<FusedLoop> loops() const { return Loops; }
  const FusedLoop *find(const llvm::Loop *L) const;
  /// The loop in which \p V is computed anew in the reverse sweep; null: none.
  const FusedLoop *around(const PreparedFunction &P, const llvm::Value *V) const;
  bool isLate(const llvm::Value *V) const;
  /// \p WhyNot: the rule that the loop breaks.
  void remove(const llvm::Loop *L, const char *WhyNot);
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<FusedLoop, 1> Loops;
  llvm::SmallVector<LoopChoice, 2> Choices;
};

/// The loops of \p Plan for which all of this is proven, and which gain by it or are wished
/// for. Needs and decisions are those of a plan without fused loops.
FusedLoops findFusedLoops(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                          const StoredValues &Stored, const ChoiceWishes &Wishes);

/// The wishes that \p Plan, which is complete, has not followed.
llvm::SmallVector<RefusedWish, 2> refusedLoops(const DerivativePlan &Plan,
                                               const ChoiceWishes &Wishes);

/// Null if \p L keeps the rules that do not need an analysis of memory, else the one it breaks.
const char *whyNotFused(const DerivativePlan &Plan, const FusedLoop &L);

} // namespace isozyme

#endif
