//===- ComputedGoto.h - Addresses of labels become numbers ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A clone still refers to the labels of the original function. After cloning a function
// with a computed goto, call this before anything else changes the clone.
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
