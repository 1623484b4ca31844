//===- VersionPlan.h - A version for memory that is apart -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C, `out[i] = ...` may change `in`: what was read from `in` has to be kept. Where a formula
// tells, before the function runs, which bytes it may access behind each pointer, the derivative
// compares these ranges once. If none overlaps one that is written, it runs a version that was
// planned as if the pointers were `restrict`; else the one for any arguments.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_VERSIONPLAN_H
#define ISOZYME_PLAN_VERSIONS_VERSIONPLAN_H

#include "isozyme/Plan/EntryExtent.h"
#include "isozyme/Plan/Versions/EntryReads.h"
#include "isozyme/Plan/Versions/RowTables.h"
#include <memory>
#include <string>
#include <utility>

namespace isozyme {

struct DerivativePlan;

/// The bytes behind a parameter of the function whose ranges were found, or a global variable, that
/// it may access: from the least of Begins up to the largest of Ends, all known at entry.
struct AccessedRange {
  explicit AccessedRange(const llvm::Value *Base) : Base(Base) {}
  const llvm::Value *Base;
  bool IsWritten = false;
  llvm::SmallVector<const llvm::SCEV *, 2> Begins, Ends;
  /// It is one of the Reads, which has been read before.
  bool IsGiven = false;
  /// It is a table of that stage: the formulas are about the function in which it was found.
  std::optional<unsigned> Stage = std::nullopt;
};

/// Tables of addresses, and the derivative of a copy of the function in which they were found that
/// is given their rows. Nobody calls it.
struct RowStage {
  RowStage(RowTables Tables, std::unique_ptr<DerivativePlan> With);
  RowStage(RowStage &&);
  RowStage &operator=(RowStage &&);
  ~RowStage();
  RowTables Tables;
  std::unique_ptr<DerivativePlan> With;
};

struct VersionPlan {
  VersionPlan();
  ~VersionPlan();

  /// Addresses in memory, and counts beside them, that the second version is given.
  llvm::SmallVector<EntryRead, 8> Reads;
  /// The derivative of the copy that is given them, in which the ranges were found: null if it is
  /// given nothing. Nobody calls it.
  std::unique_ptr<DerivativePlan> Given;
  /// What is found behind these words, and then behind what was found.
  llvm::SmallVector<RowStage, 2> Stages;
  llvm::SmallVector<AccessedRange, 4> Ranges;
  /// What has to hold for the ranges to be right.
  llvm::SmallVector<AssumedValue, 4> Assumed;
  /// The ranges that are compared with each other, and so are their shadows: at least one of the
  /// two is written. All others are known to be apart.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 6> Pairs;
  /// Why there is one version only; empty if there are two. Nothing else is said then.
  std::string Refused;
  /// The derivative of a copy of the function, whose parameters are `noalias`.
  std::unique_ptr<DerivativePlan> Apart;
  /// Bytes of tape, as forecast, of this version and of the other.
  uint64_t ApartBytes = 0, AnyBytes = 0;

  /// The derivative in which the ranges were found, of \p Any.
  const DerivativePlan &measured(const DerivativePlan &Any) const {
    return readBy(Stages.size(), Any);
  }
  /// The derivative in which the tables of that stage were found.
  const DerivativePlan &readBy(unsigned Stage, const DerivativePlan &Any) const {
    return Stage ? *Stages[Stage - 1].With : Given ? *Given : Any;
  }
  void print(llvm::raw_ostream &OS) const;
};

/// Which ranges would have to be compared for a version of what \p Any derives, which is given
/// \p Reads and what \p Stages find, and may not write there. Null: nobody would ask, for \p Any
/// keeps next to nothing, or is no derivative that may have versions.
std::unique_ptr<VersionPlan> findAccessedRanges(const DerivativePlan &Any,
                                                llvm::SmallVector<EntryRead, 8> Reads = {},
                                                llvm::SmallVector<RowStage, 2> Stages = {});

/// A copy of \p F, the function that was prepared, whose parameters are as apart as \p V says.
llvm::Function &apartCopyOf(llvm::Function &F, const VersionPlan &V);

/// Makes \p Apart the second version of \p Any, if that is worth it; else says why not.
void chooseVersions(VersionPlan &V, const DerivativePlan &Any,
                    std::unique_ptr<DerivativePlan> Apart);

/// True, and an explanation in \p OS, when the plan breaks a rule of its own.
bool verifyVersions(const DerivativePlan &Any, llvm::raw_ostream *OS);

} // namespace isozyme

#endif
