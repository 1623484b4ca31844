//===- GpuTransfers.h - Rules for copies to and from a GPU -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_GPUTRANSFERS_H
#define ISOZYME_NEEDS_GPUTRANSFERS_H

namespace llvm {
class Function;
class Type;
} // namespace llvm

namespace isozyme {

/// A function with the signature of \p Transfer that has derivatives, for what moves \p Number;
/// null for one that sets bytes. All are declared only: Emit/GpuMemory writes their bodies.
llvm::Function &transferWithRules(llvm::Function &Transfer, llvm::Type *Number);

} // namespace isozyme

#endif
