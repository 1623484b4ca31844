//===- OwnedRows.h - Tables whose rows nothing else leads to -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_OWNEDROWS_H
#define ISOZYME_NEEDS_OWNEDROWS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace isozyme {

class PreparedFunction;

/// A matrix is often a table of addresses, as a vector of vectors is. Answers what rows of tables
/// may be that one function has made.
class OwnedRows {
public:
  explicit OwnedRows(const PreparedFunction &P) : P(P) {}

  /// If \p Row is read from a table that owns its rows: what the address of that table is computed
  /// from, a choice perhaps between several such tables. Else null. Rows of two tables that are
  /// different at one moment are different at this moment.
  const llvm::Value *tableOf(const llvm::Value *Row) const;

  /// Does one of the two come from such a table, and the other one lead to different memory,
  /// whenever either was computed?
  bool areApart(const llvm::Value *A, const llvm::Value *B) const;

private:
  /// The calls that have allocated the rows of a table, or have filled it.
  using Makers = llvm::SmallPtrSet<const llvm::Value *, 4>;
  const std::optional<Makers> &makersIn(const llvm::Value *Table) const;
  std::optional<Makers> makersOf(const llvm::Value *Row) const;

  const PreparedFunction &P;
  mutable llvm::DenseMap<const llvm::Value *, std::optional<Makers>> Tables;
};

} // namespace isozyme

#endif
