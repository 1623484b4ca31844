//===- CastCalls.h - Casts that the C++ library decides ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_CASTCALLS_H
#define ISOZYME_OPS_CASTCALLS_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace isozyme {

/// Is \p Call the library's part of a dynamic_cast, from its first operand to its result?
bool isDynamicCast(const llvm::CallBase &Call);

} // namespace isozyme

#endif
