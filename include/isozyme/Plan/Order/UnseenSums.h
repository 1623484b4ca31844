//===- UnseenSums.h - Sums that only derivatives are made of -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inner product waits for each addition before the next one, for the source says in which
// order they are rounded. In a gradient whose caller does not get the value of the function, mostly
// nobody sees how a sum was rounded. Then its terms may be added in any order, and LLVM makes
// vectors of the loop, although it may not in the function itself.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ORDER_UNSEENSUMS_H
#define ISOZYME_PLAN_ORDER_UNSEENSUMS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class PHINode;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class PreparedFunction;
struct DerivativePlan;

/// The additions to one sum, of one iteration where a loop adds it up, in their order.
using UnseenSum = llvm::SmallVector<llvm::Instruction *, 2>;

/// Sums whose terms the derivative adds up in any order.
class UnseenSums {
public:
  void add(UnseenSum Sum) { Sums.push_back(std::move(Sum)); }
  llvm::ArrayRef<UnseenSum> sums() const { return Sums; }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<UnseenSum, 4> Sums;
};

/// Steps and stores that are left out are decided in \p Plan.
UnseenSums findUnseenSums(const DerivativePlan &Plan);

/// The additions of one iteration to the sum that \p Phi, of the header of a loop, hands from
/// iteration to iteration; empty if it is none, or the iteration looks at the sum.
UnseenSum additionsTo(llvm::PHINode &Phi, const PreparedFunction &P);

/// The additions of a block to one sum, one after the other, of which \p First is the first; empty
/// where they are few.
UnseenSum additionsFrom(llvm::Instruction &First);

} // namespace isozyme

#endif
