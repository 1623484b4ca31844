//===- Exchange.h - What threads of a warp hand to each other ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_EXCHANGE_H
#define ISOZYME_OPS_EXCHANGE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class Function;
class Instruction;
class Module;
class Type;
} // namespace llvm

namespace isozyme {

/// Float (Float value, the other operands of \p Word): each thread of a warp hands its value on, by
/// the intrinsic \p Word for each word of 32 bits. Prepare names what is differentiated so.
llvm::Function *exchangeFunction(llvm::Module &M, llvm::Intrinsic::ID Word, llvm::Type *Float);

/// The intrinsic of such a call; not_intrinsic for all else.
llvm::Intrinsic::ID exchangedBy(const llvm::Instruction &I);

/// \p Value, word by word as \p HandOn does with an i32.
llvm::Value *byWords(llvm::IRBuilderBase &B, llvm::Value *Value,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> HandOn);
/// The intrinsic \p Word for one i32, with \p Others as its other operands.
llvm::Value *exchangeWord(llvm::IRBuilderBase &B, llvm::Intrinsic::ID Word, llvm::Value *What,
                          llvm::ArrayRef<llvm::Value *> Others);

} // namespace isozyme

#endif
