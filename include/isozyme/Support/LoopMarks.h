//===- LoopMarks.h - What is asked of a loop later --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_LOOPMARKS_H
#define ISOZYME_SUPPORT_LOOPMARKS_H

#include "llvm/ADT/StringRef.h"

namespace isozyme {

/// A loop wishes to be outside of the loop around it, as `llvm.loop` metadata. The plan has proven
/// that the order of their iterations is free, and that the loop only adds to memory.
inline constexpr llvm::StringLiteral SwapMark = "isozyme.swap";

/// A loop of a reverse sweep counts down, as `llvm.loop` metadata (see Cleanup/RowChecks.h).
inline constexpr llvm::StringLiteral FallMark = "isozyme.fall";

} // namespace isozyme

#endif
