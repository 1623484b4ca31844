//===- ReservedNames.h - Names that no program may choose --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_RESERVEDNAMES_H
#define ISOZYME_OPS_RESERVEDNAMES_H

namespace llvm {
class StringRef;
} // namespace llvm

namespace isozyme {

/// Is \p Identifier, of a variable or a member, one that C and C++ keep for compilers and
/// standard libraries? The user has not written it and would not know it.
bool isReservedIdentifier(llvm::StringRef Identifier);

} // namespace isozyme

#endif
