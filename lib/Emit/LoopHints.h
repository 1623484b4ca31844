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
class BasicBlock;
class Instruction;
} // namespace llvm

namespace isozyme {

/// Tells the optimiser \p Wish about the loop that \p Back, its last branch, repeats:
/// "llvm.loop.unroll.disable". Several wishes add up.
void wishForLoop(llvm::Instruction &Back, llvm::StringRef Wish);

/// Tells the optimiser that no iteration of the loop from \p Header to \p Back, its last branch,
/// touches memory that another one writes. It holds for all memory of the loop but locals of one
/// value, which are to become registers.
void promiseIndependence(llvm::BasicBlock &Header, llvm::Instruction &Back);

} // namespace isozyme

#endif
