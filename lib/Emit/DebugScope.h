//===- DebugScope.h - What a debugger is told of a derivative ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative has the lines of the primal, in a scope of its own: a debugger stops
// on a line of the primal in the forward and in the reverse part, and calls the
// function "gradient of f". Where debug information knows a variable `x`, the
// derivative has `x_adj` (in forward mode `x_tan`) of the same type besides.
//
// While a derivative is emitted all its locations are in the scope of the prepared
// function; giveDebugScope moves them, when everything is there.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_DEBUGSCOPE_H
#define ISOZYME_LIB_EMIT_DEBUGSCOPE_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace isozyme {

/// What is cloned by \p Map stays in the debug scope of the prepared function.
void keepDebugScope(llvm::ValueToValueMapTy &Map, const PreparedFunction &P);

/// From the place of \p B on, the derivative of each source variable that \p Prepared is the
/// value (or the memory) of is \p Now; with an empty \p Suffix, that variable itself is.
void describe(llvm::IRBuilderBase &B, const llvm::Value *Prepared, llvm::Value *Now,
              llvm::StringRef Suffix);
/// The same for one value per lane: `x_adj`, or `x_adj0`, `x_adj1`, ...
void describeLanes(llvm::IRBuilderBase &B, const llvm::Value *Prepared,
                   llvm::ArrayRef<llvm::Value *> Now, llvm::StringRef Suffix);

/// Makes \p Fn a function of its own for debuggers: "<Role> f". Every call in it has a
/// line; what has none gets that of what it serves. From the block \p Reverse on, \p Fn goes
/// through the lines of the primal a second time.
void giveDebugScope(llvm::Function &Fn, const PreparedFunction &P, llvm::StringRef Role,
                    const llvm::BasicBlock *Reverse = nullptr);

} // namespace isozyme

#endif
