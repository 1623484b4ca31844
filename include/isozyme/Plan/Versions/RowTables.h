//===- RowTables.h - Tables whose rows may be evenly spaced -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix is often a table of addresses, one for each row: `double **a`, or a vector of vectors.
// Of memory behind an address that is found by an index nothing is known before the function runs.
// Rows that were allocated one after the other are evenly spaced, though, and then the table is an
// array: row i is at `rows + i * spacing`. A copy of the function takes both as parameters in place
// of the table. The derivative reads the table once, at its beginning, and compares.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_ROWTABLES_H
#define ISOZYME_PLAN_VERSIONS_ROWTABLES_H

#include "isozyme/Plan/EntryExtent.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace llvm {
class Argument;
class DIType;
class LoadInst;
class Loop;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;

/// A comparison of two numbers that are known at entry.
struct EntryCompare {
  llvm::CmpInst::Predicate Is;
  const llvm::SCEV *Left, *Right;
  bool operator==(const EntryCompare &) const = default;
};

/// Addresses behind a parameter, every Stride bytes; or a single one, which a loop or branch reads.
struct RowTable {
  RowTable(const llvm::Argument *Base, int64_t Stride, int64_t Offset)
      : Base(Base), Stride(Stride), Offset(Offset) {}
  bool isOneWord() const { return Stride == 0; }
  /// In bytes, or in units, with or without the width: the product of a spacing and a number of
  /// rows does not overflow, if there are no more rows than these.
  static llvm::ConstantRange spacings() {
    return {llvm::APInt(64, 0), llvm::APInt(64, 1ull << 31)};
  }
  const llvm::Argument *Base;
  int64_t Stride; ///< 0: there is one address.
  /// Rows are a multiple of so many bytes apart, a power of 2: spacing and width count these.
  unsigned Unit = 8;
  /// How far a row is accessed; null where no one formula tells. The copy is given what lies
  /// between this end and the next row: it is a fact for all analyses that rows do not overlap.
  const llvm::SCEV *Width = nullptr;
  /// Where the word of row 0 is, behind Base: 0 or more, and less than Stride; or where the only
  /// one is.
  int64_t Offset;
  /// The word at the same place behind the shadow of Base is the shadow of a row.
  bool HasShadow = false;
  /// What the source calls a row, and its declared type; empty without debug information.
  std::string Name = {};
  const llvm::DIType *Declared = nullptr;
  /// The reads of the table, in the prepared function.
  llvm::SmallVector<llvm::LoadInst *, 4> Loads;
  /// From the least of Begins to the largest of Ends behind Base. The function reads the first and
  /// the last word of this range.
  llvm::SmallVector<const llvm::SCEV *, 2> Begins, Ends;
};

struct RowTables {
  llvm::SmallVector<RowTable, 4> Tables;
  /// What has to hold for the ranges to be right, and for the function to read them.
  llvm::SmallVector<AssumedValue, 4> Assumed;
  llvm::SmallVector<EntryCompare, 4> Guards;
  void print(llvm::raw_ostream &OS) const;
};

/// The tables that the function of \p Plan reads through its parameters.
RowTables findRowTables(const DerivativePlan &Plan);

/// The comparisons that decide whether \p At runs in the iteration \p Corner of the loops around
/// it. Nothing where that is not known at entry.
std::optional<llvm::SmallVector<EntryCompare, 4>>
guardsAt(const PreparedFunction &P, const llvm::Instruction &At, const LoopCorner &Corner);

/// A copy of the function of \p Plan, prepared as it is, that is given, for each of \p Tables, row
/// 0 and the spacing of rows, or the only address, behind its own parameters.
llvm::Function *copyWithEvenRows(const DerivativePlan &Plan, const RowTables &Tables);

/// What \p R, a request for a function, is for a copy of it, \p Copy, with even rows.
DiffRequest requestForEvenRows(const DiffRequest &R, llvm::Function &Copy, const RowTables &Tables);

} // namespace isozyme

#endif
