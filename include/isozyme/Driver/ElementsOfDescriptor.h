//===- ElementsOfDescriptor.h - What an array of Fortran holds ---*- C++ -*===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flang describes arrays by records in memory, one byte of which is a code for the type of
// the elements. The type of a variable is fixed in Fortran, so that byte is a constant
// wherever a descriptor is made; this finds it.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_ELEMENTSOFDESCRIPTOR_H
#define ISOZYME_DRIVER_ELEMENTSOFDESCRIPTOR_H

#include <cstdint>
#include <optional>

namespace llvm {
class GlobalVariable;
class Value;
} // namespace llvm

namespace isozyme {

/// Bytes of a descriptor that are of interest here.
enum class DescriptorByte : unsigned { Rank = 20, TypeCode = 21, Attribute = 22 };

/// The value that all writes to that byte of \p Descriptor agree on, if all of them are seen.
std::optional<unsigned> byteOfDescriptor(llvm::Value *Descriptor, DescriptorByte Which);

/// In bytes.
std::optional<uint64_t> elementSizeOf(llvm::Value *Descriptor);

/// The table in which flang describes the type of the elements, if it is a derived type and
/// what \p Descriptor leads to is made in sight.
const llvm::GlobalVariable *derivedTypeOf(llvm::Value *Descriptor);

/// May an assignment to variables of the type in \p Table do more than copy bytes? (It has
/// allocatable components, or an assignment of its own.)
bool assignmentGoesDeep(const llvm::GlobalVariable &Table);
/// Does a new record of this type hold something before anyone writes to it?
bool isInitialized(const llvm::GlobalVariable &Table);

} // namespace isozyme

#endif
