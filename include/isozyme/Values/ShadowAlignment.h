//===- ShadowAlignment.h - How aligned shadows are ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_SHADOWALIGNMENT_H
#define ISOZYME_VALUES_SHADOWALIGNMENT_H

#include "llvm/Support/Alignment.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace isozyme {

/// How aligned the shadow is of what the load or store \p I accesses: as an element is, or as the
/// object is known to be. A program may look for the first aligned element, and access vectors from
/// there; the shadow has the same elements elsewhere.
llvm::Align shadowAlignment(const llvm::Instruction &I);
/// Makes that the alignment of \p Copy, a copy of \p I on the shadow, if they access memory.
void alignAsShadow(llvm::Instruction &Copy, const llvm::Instruction &I);

} // namespace isozyme

#endif
