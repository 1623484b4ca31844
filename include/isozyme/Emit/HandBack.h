//===- HandBack.h - The reverse of what threads hand to each other -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_HANDBACK_H
#define ISOZYME_EMIT_HANDBACK_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace isozyme {

/// Each thread of a warp has handed a value on by the intrinsic \p Word, with \p Others as its
/// other operands, and has \p Adjoint of what it got: the sum of the adjoints of those that got its
/// value.
llvm::Value *handBack(llvm::IRBuilderBase &B, llvm::Intrinsic::ID Word, llvm::Value *Adjoint,
                      llvm::ArrayRef<llvm::Value *> Others);

/// Threads of a warp that come here in the reverse sweep are in the same \p Pass through the loops,
/// an i64, as they were when \p Word handed values on; else the kernel ends with an error. A
/// machine on which each says whom it expects needs no such check.
void meetInPass(llvm::IRBuilderBase &B, llvm::Intrinsic::ID Word, llvm::Value *Pass);

} // namespace isozyme

#endif
