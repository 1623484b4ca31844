//===- Choices.h - A value that iterations hand on or replace ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %nearest = phi [ 1e300, %entry ], [ %next, %loop ]
//   ...
//   %next = select i1 %is.less, double %square, double %nearest
//
// A loop that looks for the nearest point takes each new value from a choice: the old one, or one
// of this iteration. Choices are selects, and phis where ways meet.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_CHOICES_H
#define ISOZYME_VALUES_CHOICES_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class Instruction;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace isozyme {

using Choices = llvm::SmallSetVector<llvm::Instruction *, 4>;

/// What \p V, a select or a phi where ways meet, is chosen from; nothing for others.
llvm::SmallVector<llvm::Value *, 2> alternativesOf(const llvm::Instruction &V);

/// The choices through which \p Carried, a phi of a header, comes into the next iteration, each
/// behind those that it chooses from; the last one is what the next iteration gets. None where
/// \p Carried is not handed on so, or without any choice.
Choices choicesOf(const llvm::PHINode &Carried, const llvm::LoopInfo &LI);

} // namespace isozyme

#endif
