//===- FortranDescriptors.h - How flang passes arrays ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_FORTRANDESCRIPTORS_H
#define ISOZYME_VALUES_FORTRANDESCRIPTORS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
class Type;
} // namespace llvm

namespace isozyme {

/// What flang calls accesses to descriptors in alias metadata, which it writes where it optimises.
constexpr llvm::StringLiteral DescriptorTag = "descriptor member";

/// Does flang describe arrays and pointers so: { address, element size, version, rank, type,
/// attribute, extra, bounds }?
bool isDescriptorType(const llvm::Type *T);
/// Is \p Access, by its alias metadata, one of a descriptor's member?
bool isTaggedDescriptor(const llvm::Instruction &Access);
/// Is \p Access such a load or store of an integer? Bounds, sizes and kinds are integers, and the
/// address is accessed as a pointer.
bool isDescriptorInteger(const llvm::Instruction &Access);
/// Does \p I access a descriptor, or copy one, by the type of the step or the variable?
bool accessesDescriptor(const llvm::Instruction &I);

} // namespace isozyme

#endif
