//===- ElementIndex.h - Distances of elements of one array -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_ELEMENTINDEX_H
#define ISOZYME_LIB_PLAN_ELEMENTINDEX_H

#include <cstdint>

namespace llvm {
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace isozyme {

/// \p S, a multiple of \p Size, divided by it: modulo 2^32. Null if it is none.
const llvm::SCEV *inElements(llvm::ScalarEvolution &SE, const llvm::SCEV *S, int64_t Size);

/// An index of 32 bits, of which the optimiser has dropped that it does not overflow, is counted
/// modulo 2^32: it would have to come round inside of an object of 2^32 elements.
bool isShortIndex(const llvm::SCEV *At);

} // namespace isozyme

#endif
