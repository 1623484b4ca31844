//===- WatchCalls.h - Print a derivative that is watched ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gradient of f: f.c:12: a[3].adj += 0.25 -> 1.75
//   derivative of f: f.c:12: x.tan = 2
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_WATCHCALLS_H
#define ISOZYME_LIB_EMIT_WATCHCALLS_H

#include "isozyme/Plan/Watch.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// One derivative that changes.
struct WatchedChange {
  const WatchedPlace &Place;
  const PreparedFunction &P;
  /// Memory: its shadow, and the shadow of the place's base.
  llvm::Value *Address = nullptr, *Base = nullptr;
  llvm::Value *Added = nullptr; ///< Reverse: what is added.
  llvm::Value *Now = nullptr;   ///< The derivative from here on.
  unsigned Lane = 0, Width = 1;
};

/// Prints a line with the place of \p B when the program gets there.
void emitWatch(llvm::IRBuilderBase &B, const WatchedChange &Change);

} // namespace isozyme

#endif
