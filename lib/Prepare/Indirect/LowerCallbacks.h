//===- LowerCallbacks.h - qsort and bsearch as ordinary code -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_LOWERCALLBACKS_H
#define ISOZYME_LIB_PREPARE_LOWERCALLBACKS_H

namespace llvm {
class CallBase;
class CallInst;
} // namespace llvm

namespace isozyme {

/// A call of a function of the C library that calls a function it is given, on data.
bool takesCallback(const llvm::CallBase &Call);
/// Replaces such a call by what it does.
void lowerCallback(llvm::CallInst &Call);

} // namespace isozyme

#endif
