//===- RecordComponents.h - What a derived type of Fortran has ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flang describes each derived type by a constant table, out of which its library learns what
// to allocate, copy and release. In: such a table. Out: the components, with those of records
// inside among them.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_RECORDCOMPONENTS_H
#define ISOZYME_DRIVER_RECORDCOMPONENTS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace isozyme {

namespace fortran {
enum class ElementKind : int;
} // namespace fortran

struct RecordComponent;
using RecordComponents = llvm::SmallVector<RecordComponent, 0>;

struct RecordComponent {
  enum Form { Data, Pointer, Allocatable };
  uint64_t Offset = 0; ///< From the start of the outermost record.
  Form How = Data;
  fortran::ElementKind Kind{};
  uint8_t TypeCode = 0; ///< CFI_type_t, as flang numbers it; 0: it is not known.
  uint64_t ElementSize = 0;
  uint64_t Count = 1; ///< Data: of elements.
  unsigned Rank = 0;  ///< Else: of the descriptor.
  /// Data: what it is set to when a record is made; null: nothing.
  llvm::GlobalVariable *InitialValue = nullptr;
  bool HasOtherValue = false; ///< It is set to something that this cannot say.
  /// Pointer, Allocatable: the table of the elements, where these are records.
  llvm::GlobalVariable *Type = nullptr;
  /// Allocatable: what these have.
  std::shared_ptr<const RecordComponents> Inside;
};

/// In bytes.
std::optional<uint64_t> recordSizeOf(const llvm::GlobalVariable &Table);

/// The table of the type that this one extends, if any.
const llvm::GlobalVariable *parentOf(const llvm::GlobalVariable &Table);

/// Nothing, where the table is elsewhere or there is more to such records than this can say:
/// finalizers, parameters of the type, records of a type within allocatable records of this type.
std::optional<RecordComponents> componentsOf(const llvm::GlobalVariable &Table);

} // namespace isozyme

#endif
