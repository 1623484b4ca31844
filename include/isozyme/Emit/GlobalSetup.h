//===- GlobalSetup.h - Shadows of global variables at the start --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_GLOBALSETUP_H
#define ISOZYME_EMIT_GLOBALSETUP_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace isozyme {

/// A function around \p Derivative that begins with what the shadows of \p Globals must be
/// when nothing has been differentiated yet: numbers are zero; an address into one of the
/// variables becomes that into its shadow; any other address is its own shadow, since
/// nobody has made one for the memory behind it.
llvm::Function *emitGlobalStart(llvm::Function &Derivative,
                                llvm::ArrayRef<llvm::GlobalVariable *> Globals, unsigned Width,
                                unsigned Level);

} // namespace isozyme

#endif
