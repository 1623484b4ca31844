//===- CheckpointEmitter.h - Execute a plan of a loop in parts ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_CHECKPOINTEMITTER_H
#define ISOZYME_EMIT_CHECKPOINTEMITTER_H

#include "isozyme/Emit/ReverseEmitter.h"
#include "isozyme/Plan/Checkpoint/CheckpointPlan.h"

namespace isozyme {

/// The functions that both halves of a loop in parts use.
struct CheckpointParts {
  llvm::Function *Run, *Reverse, *Move;
};

/// Makes them. \p Part is the derivative for Plan.partRequest().
CheckpointParts emitCheckpointParts(const CheckpointPlan &Plan, llvm::Function &Part);
/// Fill the halves. The tape is a pointer.
void emitCheckpointAugment(llvm::Function &Shell, const CheckpointPlan &Plan,
                           const CheckpointParts &Parts);
void emitCheckpointFromTape(llvm::Function &Shell, const CheckpointPlan &Plan,
                            const CheckpointParts &Parts, bool KeepTape);

/// Adds the functions that run parts, where \p M calls them.
void linkCheckpointRuntime(llvm::Module &M);

} // namespace isozyme

#endif
