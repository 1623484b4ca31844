//===- SwapLoops.h - Two loops change places --------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CLEANUP_SWAPLOOPS_H
#define ISOZYME_CLEANUP_SWAPLOOPS_H

#include "llvm/IR/PassManager.h"

namespace isozyme {

/// Takes the wishes of loops in \p F (`SwapMark`) away, and grants them to those that are simple
/// enough now that the optimiser has seen them. Is something changed?
bool swapMarkedLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace isozyme

#endif
