//===- EntryReads.h - Words that are read before all else -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `std::vector` that is passed by reference, or a structure of arrays, is an address in memory.
// Where the function does not write there, it might as well have been passed: a copy of the
// function takes it as a parameter, and is a function of plain arrays.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VERSIONS_ENTRYREADS_H
#define ISOZYME_PLAN_VERSIONS_ENTRYREADS_H

#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class DataLayout;
class DIType;
class Value;
} // namespace llvm

namespace isozyme {

class ActivityResult;
class PreparedFunction;
class TypeResult;

/// An address or an integer, Offset bytes behind a parameter of the copy, which is read when the
/// function begins. The parameters of the copy are those of the function, then the words in turn.
struct EntryRead {
  unsigned Base;
  int64_t Offset;
  llvm::Type *Type;
  /// The word at the same place behind the shadow of Base is its shadow.
  bool HasShadow = false;
  /// What the source calls it, and its declared type; empty without debug information.
  std::string Name = {};
  const llvm::DIType *Declared = nullptr;
};

/// The words that \p P, prepared for \p R, reads through its parameters and could be given.
llvm::SmallVector<EntryRead, 8> findEntryReads(const PreparedFunction &P, const DiffRequest &R,
                                               const TypeResult &Types,
                                               const ActivityResult &Activity);

/// A place in memory as it is known before a function runs: so many bytes behind a pointer.
struct Word {
  const llvm::Value *Base;
  int64_t Offset;
};

/// Where \p Ptr leads.
Word wordAt(const llvm::Value *Ptr, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
