//===- VaryingLoops.h - Loops that a value changes with ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_VARYINGLOOPS_H
#define ISOZYME_PLAN_KEEP_VARYINGLOOPS_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class LoadInst;
} // namespace llvm

namespace isozyme {

/// May a write in the loop change what the load reads?
using ChangeQuery = llvm::function_ref<bool(const llvm::LoadInst &, const llvm::Loop &)>;

/// The loops around \p I whose iterations \p I may differ in, its own included: in the others it
/// takes the same values each time. A counter in a triangular nest, for example, is the same for
/// each pass through the nest; `in[i]` is the same for each row of a matrix that it is multiplied
/// by.
llvm::SmallPtrSet<const llvm::Loop *, 4>
varyingLoops(const PreparedFunction &P, const llvm::Instruction &I, ChangeQuery Changes);

} // namespace isozyme

#endif
