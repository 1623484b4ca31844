//===- LoopHints.h - What the optimiser leaves of a loop --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_LOOPHINTS_H
#define ISOZYME_LIB_EMIT_LOOPHINTS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace isozyme {

/// Tells the optimiser \p Wish about the loop that \p Back, its last branch, repeats:
/// "llvm.loop.unroll.disable".
void wishForLoop(llvm::Instruction &Back, llvm::StringRef Wish);

} // namespace isozyme

#endif
