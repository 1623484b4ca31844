//===- ComputedGoto.h - Addresses of labels become numbers ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The label of a function is no label of its clone: whoever clones a function with a
// computed goto has to call this before the clone is changed otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_COMPUTEDGOTO_H
#define ISOZYME_PREPARE_COMPUTEDGOTO_H

#include "isozyme/Support/Diagnostics.h"

namespace isozyme {

/// Computed gotos of \p Clone, a fresh copy of \p Original, become switches; else IZ209.
llvm::Error lowerComputedGotos(llvm::Function &Clone, const llvm::Function &Original);

} // namespace isozyme

#endif
