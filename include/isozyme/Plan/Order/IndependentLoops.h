//===- IndependentLoops.h - Reverse loops without dependences ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop whose iterations touch different memory. Where it cannot prove that, it
// compares addresses at run time; in a nest it compares what all rows touch, and the adjoints of
// three rows of one array overlap then. The plan knows of rows how long they are.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ORDER_INDEPENDENTLOOPS_H
#define ISOZYME_PLAN_ORDER_INDEPENDENTLOOPS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Loop;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;
struct DerivativePlan;

/// Innermost loops in whose reverse no iteration touches memory that another one writes.
class IndependentLoops {
public:
  void add(const llvm::Loop *L) { Loops.push_back(L); }
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops; }
  bool contains(const llvm::Loop *L) const { return llvm::is_contained(Loops, L); }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallVector<const llvm::Loop *, 4> Loops;
};

/// Steps, fused loops, the tape, and sums that are carried are decided in \p Plan.
IndependentLoops findIndependentLoops(const DerivativePlan &Plan, const MemoryAvailability &Memory);

/// Null if \p L keeps the rules that do not need an analysis of memory, else the one it breaks.
const char *whyNotIndependent(const DerivativePlan &Plan, const llvm::Loop &L);

} // namespace isozyme

#endif
