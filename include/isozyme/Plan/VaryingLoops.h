//===- VaryingLoops.h - Loops that a value changes with ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_VARYINGLOOPS_H
#define ISOZYME_PLAN_VARYINGLOOPS_H

#include "isozyme/Prepare/PreparedFunction.h"

namespace isozyme {

/// The outermost loop around \p I whose iterations \p I may differ in: in the loops around
/// that one it takes the same values each time. A counter in a triangular nest, for
/// example, is the same for each pass through the nest.
const llvm::Loop *outermostVarying(const PreparedFunction &P, const llvm::Instruction &I);

} // namespace isozyme

#endif
