//===- BulkNotes.h - Notes of what copies and fills move ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_BULKNOTES_H
#define ISOZYME_TYPES_BULKNOTES_H

#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
} // namespace llvm

namespace isozyme {

/// Bytes of a copy or fill that hold the same.
struct NotedRun {
  uint64_t Size = 0;
  std::optional<ConcreteType> Type; ///< Nothing: doubles or addresses, as their shadows tell.
};

/// Notes what \p Bulk, a copy or fill, moves; the runs repeat. Copies of it in derivatives keep the
/// note, for derivatives of these: there, less is done with the memory, and how many bytes are
/// moved may depend on whether they have a shadow.
void noteMoves(llvm::Instruction &Bulk, llvm::ArrayRef<NotedRun> Runs);

/// What has been noted of \p Bulk; empty: nothing.
llvm::SmallVector<NotedRun, 4> notedMoves(const llvm::Instruction &Bulk);

} // namespace isozyme

#endif
