//===- EvenRows.h - Are the rows of a table evenly spaced? ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_EVENROWS_H
#define ISOZYME_LIB_EMIT_EVENROWS_H

#include "isozyme/Plan/EntryValues.h"
#include "isozyme/Plan/Versions/RowTables.h"

namespace isozyme {

/// Where row 0 is, by what the table says, or would say if it had one.
struct FirstRows {
  llvm::Value *Primal;
  llvm::SmallVector<llvm::Value *, 1> Shadows; ///< One per lane; none without a shadow.
  llvm::Value *Gap =
      nullptr; ///< Between rows, in units of the table; null where there is one word.
};

/// Reads tables, of which the function reads both ends, and goes to \p Otherwise where their rows,
/// or those of their shadows, are not evenly spaced.
class EvenRows {
public:
  EvenRows(llvm::IRBuilder<> &B, EntryValues &Values, llvm::BasicBlock &Otherwise)
      : B(B), Values(Values), Otherwise(Otherwise) {}
  /// The function reads the tables at all, and its formulas are right.
  void requireGuards(const RowTables &Tables);
  /// \p Shadows: of the parameter that \p Table is behind.
  FirstRows read(const RowTable &Table, llvm::ArrayRef<llvm::Value *> Shadows);

private:
  void require(llvm::Value *Condition, const llvm::Twine &Then);
  FirstRows wordsAt(llvm::ArrayRef<llvm::Value *> Places, llvm::Type *Word);
  llvm::Value *wordAt(llvm::Value *Base, llvm::Value *Offset);
  llvm::Value *countRows(const RowTable &Table, llvm::Value *Begin, llvm::Value *Last);
  llvm::Value *compareAll(llvm::ArrayRef<llvm::Value *> Bases, llvm::ArrayRef<llvm::Value *> First,
                          llvm::Value *Spacing, llvm::Value *Rows, int64_t Stride);

  llvm::IRBuilder<> &B;
  EntryValues &Values;
  llvm::BasicBlock &Otherwise;
};

} // namespace isozyme

#endif
