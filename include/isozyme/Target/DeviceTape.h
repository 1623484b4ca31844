//===- DeviceTape.h - Memory for tapes that a program sets aside -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a GPU all threads take their tapes from one block of memory, which the host describes in a
// variable of the program:
//
//   isozyme_tape { address, bytes, bytes asked for so far }
//
// Without an address nobody takes anything: a launch then counts the bytes that it would ask for.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_DEVICETAPE_H
#define ISOZYME_TARGET_DEVICETAPE_H

#include "llvm/ADT/Twine.h"

namespace llvm {
class GlobalVariable;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// The variable. Null if the program has none, or its target is no GPU.
llvm::GlobalVariable *deviceTape(const llvm::Module &M);

/// What a piece of \p Bytes takes of the memory.
llvm::Value *sizeOfPiece(llvm::IRBuilderBase &B, llvm::Value *Bytes);
/// A piece of \p Bytes; null where there is no room left.
llvm::Value *takePiece(llvm::IRBuilderBase &B, llvm::Value *Bytes, const llvm::Twine &Name);
/// Does this launch count only?
llvm::Value *onlyCounts(llvm::IRBuilderBase &B);
/// Adds \p Pieces, a sum of sizeOfPiece, to what this launch would ask for.
void countPieces(llvm::IRBuilderBase &B, llvm::Value *Pieces);

} // namespace isozyme

#endif
