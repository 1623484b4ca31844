//===- FortranCalls.h - What calls of flang's library are about --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a call, and which of its arguments are descriptors. Out: what the elements are that these
// lead to, as far as the file tells.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_FORTRAN_FORTRANCALLS_H
#define ISOZYME_DRIVER_FORTRAN_FORTRANCALLS_H

#include "isozyme/Driver/RecordComponents.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace isozyme::fortran {

struct CallKind {
  ElementKind Kind{}; ///< Unknown.
  /// Of elements of unknown kind, where it is known. What is behind the dimensions of their
  /// descriptors is the table of their type.
  std::optional<uint64_t> Size, Rank;
  llvm::SmallVector<std::optional<uint64_t>, 3> Ranks; ///< Of each descriptor that is passed.
  /// The first descriptor is of an allocatable variable or a pointer, which may be part of a
  /// record.
  bool MayBeComponent = false;
  const llvm::GlobalVariable *Table = nullptr; ///< Of the type that a `class` variable takes.
  uint64_t Bytes = 0; ///< To be assigned, where the shape of an array tells; 0: it does not.
  bool IsFixed[2] = {false, false};           ///< Of both arrays: the elements follow each other.
  bool HasGaps = false;                       ///< One of them may be otherwise.
  bool IsUnknown = true;                      ///< Nothing tells what the elements are.
  llvm::SmallVector<ElementKind, 3> Kinds;    ///< Of each descriptor that is passed.
  bool IsMixed = false;                       ///< The elements are not all of one type.
  bool GoesDeep = false;                      ///< More than bytes are assigned.
  bool HasOnlyBytes = false;                  ///< The type says that nothing else is to be done.
  std::optional<RecordComponents> Components; ///< Where that is so, and all is known.
  std::optional<RecordComponents> Fields;     ///< Where it is not so, and all is known.
};

/// Bytes of the floats that elements of this kind consist of.
uint64_t floatSize(ElementKind Kind);

/// \p Makes: what a new record holds is part of what the call is about.
CallKind kindOfCall(const llvm::CallBase &Call, llvm::ArrayRef<llvm::Value *> Descriptors,
                    bool Makes);

/// Sees whether \p Assignment moves a number of bytes that is known from the shape of an array.
void findFixedBytes(CallKind &Kind, llvm::ArrayRef<llvm::Value *> Descriptors,
                    const llvm::Function &Assignment);

} // namespace isozyme::fortran

#endif
