//===- LaneCopies.h - Shadow memory with lanes side by side ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane has a shadow of its own, so that the tangents of one number lie in W arrays. Where
// a loop only reads the shadows of a local variable, again and again, it reads a copy of them
// in which these W tangents are neighbours:
//
//   before the loop:  copy[k] = <a.shadow.0[k], ..., a.shadow.3[k]> for each k
//   in the loop:      %tans = load <4 x double>, copy[k]
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_LANES_LANECOPIES_H
#define ISOZYME_PLAN_LANES_LANECOPIES_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class LoadInst;
class Loop;
class Type;
} // namespace llvm

namespace isozyme {

class StepPlan;

struct LaneCopy {
  const llvm::AllocaInst *Memory;
  const llvm::Loop *Where; ///< The copy is made in its preheader.
  llvm::Type *Element;     ///< float or double.
  uint64_t Count;          ///< Of elements.
};

class LaneCopies {
public:
  LaneCopies() = default;
  /// Copies that pay, of the memory that outermost loops read. \p MayTake: loops whose lanes
  /// are not decided on yet.
  LaneCopies(const PreparedFunction &P, const StepPlan &Steps, unsigned Width,
             llvm::function_ref<bool(const llvm::Loop &)> MayTake);

  llvm::ArrayRef<LaneCopy> all() const { return Copies; }
  /// The copy that tangents of \p L are read from; null: they are in the shadows.
  const LaneCopy *of(const llvm::LoadInst &L) const;
  /// True, and an explanation in \p OS, when a loop does not read its copy as it is made.
  bool verify(const PreparedFunction &P, llvm::raw_ostream &OS) const;

private:
  struct Reads;
  void visit(const llvm::Loop &L, const PreparedFunction &P, const StepPlan &Steps, unsigned Width);
  bool take(const llvm::Loop &L, const PreparedFunction &P, const StepPlan &Steps, unsigned Width);

  llvm::SmallVector<LaneCopy, 2> Copies;
  llvm::DenseMap<const llvm::LoadInst *, unsigned> CopyOf;
};

} // namespace isozyme

#endif
