//===- UndoneStores.h - Stores that the reverse sweep undoes -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_UNDONESTORES_H
#define ISOZYME_PLAN_KEEP_UNDONESTORES_H

#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Keep/RecomputeGraph.h"

namespace isozyme {

/// The instructions whose reverse reads a need, null for those that may be anywhere.
using NeedReaders = llvm::DenseMap<Need, llvm::SmallVector<const llvm::Instruction *, 2>>;

/// May stores of this derivative be undone at all?
bool mayUndo(const DerivativePlan &Plan);

/// The loads of \p G that can only be kept, but could be repeated if stores were undone.
UndoChoices findUndoChoices(const DerivativePlan &Plan, const MemoryAvailability &Memory,
                            const RecomputeGraph &G, const NeedReaders &Readers);

/// Why \p S, which is to be undone, cannot be: the end of the sentence "it is a store ..."; null
/// if it can.
const char *whyNotUndone(const DerivativePlan &Plan, const llvm::StoreInst &S);

} // namespace isozyme

#endif
