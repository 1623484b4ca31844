//===- FixedArrays.h - Descriptors of which all is known ---------*- C++ -*===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A component of fixed size is assigned by way of a descriptor with constant bounds:
//
//   %d = alloca { ptr, i64, ..., [1 x [3 x i64]] }
//   store { ... [1, 3, 8] } with %component, ptr %d     ; bounds, elements, distance in bytes
//   call @_FortranAAssign(ptr %d, ...)
//
// Where these are known, so are the bytes that are assigned, and what is beside them in the
// record is not.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_FORTRAN_FIXEDARRAYS_H
#define ISOZYME_DRIVER_FORTRAN_FIXEDARRAYS_H

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class GlobalVariable;
class Value;
} // namespace llvm

namespace isozyme {

/// How many bytes the array has, if its elements are known to follow each other in memory.
/// \p Reader: a function that leaves such descriptors as they are.
std::optional<uint64_t> bytesOfFixedArray(const llvm::Value &Descriptor,
                                          const llvm::Function &Reader);

/// The table of the type of the records that \p Descriptor leads to, where it is never another one,
/// as it may be for `class` variables; null: that is not known.
const llvm::GlobalVariable *onlyTypeOf(const llvm::Value &Descriptor, const llvm::DataLayout &DL);
/// The table that \p From is, or that of the variable whose descriptor \p From is.
const llvm::GlobalVariable *typeTakenFrom(const llvm::Value &From, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
