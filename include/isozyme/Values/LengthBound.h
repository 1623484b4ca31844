//===- LengthBound.h - How much a copy can copy ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_LENGTHBOUND_H
#define ISOZYME_VALUES_LENGTHBOUND_H

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace isozyme {

/// A number that \p Length, of a copy or a fill, is never above: that of umin(umin(a, 24), b) is
/// 24. No object is so large that its length is negative as a signed number, so that of
/// smin(a, 24) is 24, too.
uint64_t mostBytes(const llvm::Value &Length);

} // namespace isozyme

#endif
