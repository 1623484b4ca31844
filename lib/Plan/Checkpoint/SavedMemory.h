//===- SavedMemory.h - What iterations of a loop overwrite -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_SAVEDMEMORY_H
#define ISOZYME_LIB_PLAN_SAVEDMEMORY_H

#include "isozyme/Plan/Checkpoint/CheckpointPlan.h"

namespace llvm {
class MemIntrinsic;
} // namespace llvm

namespace isozyme {

/// Looks at each instruction of a function of a range of iterations, and notes in the plan what
/// memory has to be saved, or why it cannot be.
class SavedMemoryFinder {
public:
  SavedMemoryFinder(CheckpointPlan &Plan, const TypeResult &Types, const CallPlanSet &Calls)
      : Plan(Plan), P(Plan.P), Types(Types), Calls(Calls) {}
  void run();

private:
  void refuse(const llvm::Instruction &I, const llvm::Twine &Why);
  void look(llvm::Instruction &I);
  void lookAtFill(llvm::MemIntrinsic &M);
  void lookAtCall(const llvm::CallBase &Call);
  void read(const llvm::Instruction &I, const llvm::Value *Ptr, const llvm::SCEV *Bytes);
  void save(const llvm::Instruction &I, const llvm::Value *Ptr, const llvm::SCEV *Bytes);
  void add(const llvm::Value *Base, SavedPart Part);
  bool saveAll(const llvm::Value *Base);
  bool mayChangeLater(const llvm::Value *Object) const;
  bool anyMayChangeLater() const;
  std::optional<llvm::SmallVector<KnownCondition, 2>> conditionsOf(const llvm::Instruction &I);

  CheckpointPlan &Plan;
  const PreparedFunction &P;
  const TypeResult &Types;
  const CallPlanSet &Calls;
};

} // namespace isozyme

#endif
