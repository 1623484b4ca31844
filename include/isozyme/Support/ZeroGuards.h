//===- ZeroGuards.h - Tests whether a derivative is zero ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %zero   = fcmp oeq double %t, 0.0
//   %strong = select i1 %zero, double 0.0, double %p, !isozyme.guard
//
// where %p is linear in %t. A derivative of it must not take the constant for a choice of the
// program: %p varies with %t where %t is zero.
//
//   %none = fcmp oeq double %t, 0.0, !isozyme.guard
//   br i1 %none, label %behind, label %some, !isozyme.guard
//
// where %some only computes what is linear in %t. A derivative of it always goes there.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_ZEROGUARDS_H
#define ISOZYME_SUPPORT_ZEROGUARDS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace isozyme {

constexpr llvm::StringLiteral ZeroGuard = "isozyme.guard";

/// \p Guard: a select, or a branch and the tests that decide on it.
inline void markZeroGuard(llvm::Instruction &Guard) {
  Guard.setMetadata(ZeroGuard, llvm::MDNode::get(Guard.getContext(), {}));
}
inline bool isZeroGuard(const llvm::Instruction &Guard) {
  return Guard.getMetadata(ZeroGuard) != nullptr;
}

} // namespace isozyme

#endif
