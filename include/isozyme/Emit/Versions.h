//===- Versions.h - Choose a version at run time ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_VERSIONS_H
#define ISOZYME_EMIT_VERSIONS_H

#include "isozyme/Plan/DerivativePlan.h"

namespace isozyme {

/// Fills \p Shell, the derivative of \p Plan: calls \p Apart where the ranges of Plan.Versions do
/// not overlap, else \p Any. Both take the arguments of Shell; Apart also those in
/// Plan.Versions->Reads.
void emitChoiceOfVersions(llvm::Function &Shell, const DerivativePlan &Plan, llvm::Function &Apart,
                          llvm::Function &Any);

} // namespace isozyme

#endif
