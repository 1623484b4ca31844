//===- SharedMemory.h - Which adjoints several threads may add to -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_SHAREDMEMORY_H
#define ISOZYME_LIB_PLAN_SHAREDMEMORY_H

#include "isozyme/Plan/Step.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class AtomicRMWInst;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace isozyme {

struct DerivativePlan;
struct DiffRequest;
struct ForwardPlan;
class PreparedFunction;
class StepPlan;

/// On a machine whose threads run one derivative at the same time: how the access \p I to memory
/// adds to shadow memory, or takes from it, and why.
void decideSharing(const PreparedFunction &P, const DiffRequest &R, const llvm::Instruction &I,
                   Step &S);

/// Is what \p Ptr leads to, for sure, memory that the threads of a block share?
bool liesInBlock(const PreparedFunction &P, const llvm::Value &Ptr);

/// Why a thread cannot know in the reverse sweep of the atomic extremum \p At which value has stood
/// there in the end; null if it can.
const char *whyResultIsUnknown(const PreparedFunction &P, const StepPlan &Steps,
                               const llvm::AtomicRMWInst &At);

/// Where do threads wait for each other at \p I, or is it a fence of such a place?
Meeting meetingAt(const PreparedFunction &P, const llvm::Instruction &I);

/// Do all threads of a block wait for each other in \p P, or in a function that it calls?
bool meetsBlock(const PreparedFunction &P);

/// Is all that \p Plan does possible on its machine? Everything is on a processor.
llvm::Error checkForDevice(const DerivativePlan &Plan);
llvm::Error checkForDevice(const ForwardPlan &Plan, llvm::ArrayRef<llvm::GlobalVariable *> Globals);

} // namespace isozyme

#endif
