//===- StopIf.h - The end of a program that cannot go on right --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_STOPIF_H
#define ISOZYME_EMIT_STOPIF_H

#include "llvm/ADT/Twine.h"

namespace llvm {
class DILocation;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace isozyme {

/// Ends the program with the place \p Loc, which may be null, and the message \p What when
/// \p When holds.
void emitStop(llvm::IRBuilderBase &B, llvm::Value *When, const llvm::DILocation *Loc,
              const llvm::Twine &What);

} // namespace isozyme

#endif
