//===- OwnedRows.h - Tables whose rows nothing else leads to -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_OWNEDROWS_H
#define ISOZYME_NEEDS_OWNEDROWS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
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
  struct Table {
    /// The calls that have allocated its rows, or have filled it.
    llvm::SmallPtrSet<const llvm::Value *, 4> Makers;
    /// What addresses of the table are computed from.
    llvm::SmallPtrSet<const llvm::Value *, 2> Names;
    bool ShowsRows; ///< Addresses of rows come to other places.
  };
  const Table *find(const llvm::Value *Object) const;
  /// All that \p Row may be read from; none if one of them is no such table.
  llvm::SmallVector<const Table *, 2> tablesOf(const llvm::Value *Row) const;
  bool isNoRowOf(const Table &T, const llvm::Value *Other) const;

  const PreparedFunction &P;
  mutable std::map<const llvm::Value *, std::optional<Table>> Tables;
};

} // namespace isozyme

#endif
