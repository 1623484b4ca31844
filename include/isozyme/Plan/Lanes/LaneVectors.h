//===- LaneVectors.h - Where lanes are elements of a vector ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a width, each tangent exists once per lane. Lanes are scalars, which LLVM's
// vectorisers put together, but in loops that only compute, and in those that read
// copies with lanes side by side: there the emitter writes one vector with an element
// per lane.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_LANES_LANEVECTORS_H
#define ISOZYME_PLAN_LANES_LANEVECTORS_H

#include "isozyme/Plan/Lanes/LaneCopies.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace isozyme {

class StepPlan;

class LaneVectors {
public:
  LaneVectors() = default;
  /// The decision for a request in forward mode, whose steps are made. \p IsReplay: memory
  /// of the primal is out of reach.
  LaneVectors(const PreparedFunction &P, const StepPlan &Steps, const DiffRequest &R,
              bool IsReplay);

  /// Are the tangents of \p I one vector?
  bool contains(const llvm::Instruction &I) const;
  const LaneCopies &copies() const { return Copies; }
  /// Those whose lanes are elements of vectors.
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops; }
  void print(const PreparedFunction &P, llvm::raw_ostream &OS) const;
  /// True, and an explanation in \p OS, when vectors or copies contradict the steps.
  bool verify(const PreparedFunction &P, const StepPlan &Steps, llvm::raw_ostream &OS) const;

private:
  void visit(const llvm::Loop &L, const PreparedFunction &P, const StepPlan &Steps);

  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Blocks;
  llvm::SmallVector<const llvm::Loop *, 2> Loops;
  LaneCopies Copies;
};

} // namespace isozyme

#endif
