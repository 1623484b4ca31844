//===- ZeroGuards.h - Selects that keep a derivative of zero zero -*- C++ -*-===//
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
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_ZEROGUARDS_H
#define ISOZYME_SUPPORT_ZEROGUARDS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace isozyme {

constexpr llvm::StringLiteral ZeroGuard = "isozyme.guard";

inline void markZeroGuard(llvm::SelectInst &Select) {
  Select.setMetadata(ZeroGuard, llvm::MDNode::get(Select.getContext(), {}));
}
inline bool isZeroGuard(const llvm::SelectInst &Select) {
  return Select.getMetadata(ZeroGuard) != nullptr;
}

} // namespace isozyme

#endif
