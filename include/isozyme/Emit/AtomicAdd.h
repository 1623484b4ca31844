//===- AtomicAdd.h - Adding to what other threads add to ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_ATOMICADD_H
#define ISOZYME_EMIT_ATOMICADD_H

#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// *p += x for the float or vector of floats \p X, element by element, each at once for all threads
/// of the machine. For accelerators. \p OnceForWarp: threads of a warp that come together with one
/// address add up what they have, and one of them adds the sum.
void addAtomically(llvm::IRBuilderBase &B, llvm::Value *Ptr, llvm::Value *X,
                   bool OnceForWarp = false);

/// Of type \p T, likewise: what is there, and zero instead.
llvm::Value *takeAtomically(llvm::IRBuilderBase &B, llvm::Value *Ptr, llvm::Type *T);

/// The same where \p When holds; else nothing is touched, and it is zero.
llvm::Value *takeAtomicallyWhere(llvm::IRBuilderBase &B, llvm::Value *When, llvm::Value *Ptr,
                                 llvm::Type *T);

} // namespace isozyme

#endif
