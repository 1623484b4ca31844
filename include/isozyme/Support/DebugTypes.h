//===- DebugTypes.h - Types as debug information describes them --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_DEBUGTYPES_H
#define ISOZYME_SUPPORT_DEBUGTYPES_H

#include <cstdint>

namespace llvm {
class DIType;
class Function;
} // namespace llvm

namespace isozyme {

/// Is there debug information about variables and types? Lines alone are known without -g, too:
/// compilers keep track of them for messages, in units that are not written out.
bool describesVariables(const llvm::Function &F);

/// \p T without names and qualifiers; of a member or a base, its type. Null is void.
const llvm::DIType *bareType(const llvm::DIType *T);

/// Does \p T stand for what it refers to, as a reference in C++ does?
bool isReferenceType(const llvm::DIType *T);

/// What \p T points or refers to, bare; null if it does neither, or leads to nothing in
/// particular.
const llvm::DIType *pointeeType(const llvm::DIType *T);

/// How many bytes lie between two elements of an array of \p T; 0 if it is not known. Flang gives
/// records the size that they have without what follows the last member.
uint64_t elementDistance(const llvm::DIType *T);

} // namespace isozyme

#endif
