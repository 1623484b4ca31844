//===- WriteOrder.h - Do later writes go elsewhere? -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_WRITEORDER_H
#define ISOZYME_NEEDS_WRITEORDER_H

#include "CounterPolynomial.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace llvm {
class Instruction;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace isozyme {

class WriteOrder {
public:
  explicit WriteOrder(const PreparedFunction &P) : P(P) {}

  /// Does \p S, whenever it runs after \p L has read, write to other bytes than those? Both
  /// addresses are computed from \p Object, which does not change.
  bool writesElsewhere(const llvm::StoreInst &S, const llvm::LoadInst &L,
                       const llvm::Value *Object);
  /// Do \p A and \p B, loads or stores, access different bytes in each two iterations of \p In, of
  /// one iteration of the loops around it? Both addresses are computed from \p Object, which does
  /// not change in the meantime.
  bool areApart(const llvm::Instruction &A, const llvm::Instruction &B, const llvm::Value *Object,
                const llvm::Loop &In);

private:
  using Integer = std::optional<CounterPolynomial>;
  using Bounds = llvm::SmallVector<CounterPolynomial, 2>;
  /// What a branch says of N: it is not zero (Unequal), or it is at least zero.
  struct Condition {
    CounterPolynomial N;
    bool Unequal;
  };
  /// What is asked for happens in the last iteration of L, or in one of the others; in any
  /// iteration, if L is null.
  struct Case {
    const llvm::Loop *L;
    bool IsLast;
  };
  /// How many bytes behind the start of an object an access is: Exact is that number, Most an upper
  /// bound of it.
  struct Offset {
    Integer Exact, Most;
  };

  Offset offsetOf(const llvm::Value *Ptr, const llvm::Value *Object, const llvm::Instruction &At);
  /// \p V as a signed integer, in the iteration of \p At.
  Integer exact(llvm::Value *V, const llvm::Instruction &At, unsigned Depth = 0);
  Integer exactOperation(llvm::Instruction &I, const llvm::Instruction &At, unsigned Depth);
  /// \p V but for a multiple of two to the number of its bits: what wraps on the way to a
  /// number that fits does no harm.
  Integer congruent(llvm::Value &V, const llvm::Instruction &At, unsigned Depth);
  /// At least \p V, as an unsigned integer: operations that wrap only make it smaller.
  Integer most(llvm::Value *V, const llvm::Instruction &At, unsigned Depth = 0);
  bool isNatural(const Integer &N, const llvm::Instruction &At);
  bool isNeverLess(const CounterPolynomial &N, int64_t Bound, const llvm::Instruction &At);
  /// Does an operation that has no flags, and computes \p N, not wrap in so many bits?
  bool fits(const CounterPolynomial &N, unsigned Bits, const llvm::Instruction &At);
  uint64_t reachOf(llvm::Value *Index, const Integer &N) const;
  /// What the counter of \p L, a loop around \p At, is at most when \p At runs.
  Bounds mostOf(const llvm::Loop *L, const llvm::Instruction &At);
  const llvm::SmallVectorImpl<Condition> &conditionsAt(const llvm::Instruction &At);
  Integer lastOf(const llvm::Loop *L);
  /// Do branches show that \p Number is not negative where \p L begins?
  bool isNaturalBefore(const llvm::Loop &L, const llvm::Value &Number);
  /// What \p Number is at least where \p L begins, as far as branches in front of it tell.
  std::optional<int64_t> guardedLeast(const llvm::Loop &L, const llvm::Value &Number);
  std::optional<int64_t> leastOf(const llvm::Value *Number,
                                 llvm::ArrayRef<const llvm::Loop *> Running);
  /// The loops around \p At, from the inside to the outside.
  llvm::SmallVector<const llvm::Loop *, 4> loopsAround(const llvm::Instruction &At) const;
  bool followsInIteration(const llvm::StoreInst &S, const llvm::LoadInst &L,
                          const llvm::Loop *Common) const;
  bool isApart(const llvm::Instruction &S, const llvm::Instruction &L, const Offset &Read,
               const Offset &Written, const llvm::Loop *Advances, Case Where = {nullptr, false});

  const PreparedFunction &P;
  /// All that is asked for happens in one iteration of the loops around this one.
  const llvm::Loop *Compared = nullptr;
  /// Answers that hold for one query.
  llvm::DenseMap<const llvm::Loop *, Integer> Last;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<Condition, 4>> Conditions;
  /// Integers that are not negative: an address or a trip count would be poison.
  llvm::SmallPtrSet<const llvm::Value *, 8> Natural;
  /// Both hold for the function, as it does not change.
  llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::Value *>, bool> NaturalBefore;
  llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::Value *>, std::optional<int64_t>>
      GuardedLeast;
  /// All operations of the function whose flags say that they do not wrap.
  std::optional<std::vector<llvm::Instruction *>> Flagged;
  bool IsFitting = false;
};

} // namespace isozyme

#endif
