//===- RecordPlan.h - What a recording writes down ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward mode in two halves: the recording runs a function, the replay is its forward
// derivative without its effects. The replay does not touch memory of the function: what
// it would find there is in the record. One plan serves the recording and all replays,
// so it knows of no request.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_RECORDPLAN_H
#define ISOZYME_PLAN_RECORDPLAN_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace isozyme {

class TypeResult;

/// What the recording does at an instruction, apart from running it.
enum class RecordStep : uint8_t {
  None,    ///< Nothing: the replay computes it again.
  Effect,  ///< Writes its result down, if it has one; the replay only reads it.
  Call,    ///< The same; the function that is called gets a record of its own.
  Copy,    ///< Writes down the bytes that are copied: addresses may be among them.
  Release, ///< Puts it off: the memory is there as long as the record.
  Local,   ///< Makes the memory outlive the function, and writes its address down.
};

class RecordPlan {
public:
  /// \p KeepsNothing is asked of functions that are called, and whose recording would be.
  RecordPlan(const PreparedFunction &P, const TypeResult &Types,
             llvm::function_ref<bool(llvm::Function &)> KeepsNothing);

  RecordStep at(const llvm::Instruction &I) const { return Steps.lookup(&I); }
  /// The function only computes: there is nothing to write down, nor to leave out of a replay.
  bool isEmpty() const { return Steps.empty(); }
  /// Does a replay read anything at all?
  bool isRead() const;
  void print(llvm::raw_ostream &OS) const;

private:
  RecordStep stepFor(const llvm::Instruction &I, const TypeResult &Types,
                     llvm::function_ref<bool(llvm::Function &)> KeepsNothing) const;

  const PreparedFunction &P;
  llvm::MapVector<const llvm::Instruction *, RecordStep> Steps;
};

/// Will the recording of \p Call's function be called in place of it?
bool isRecordedInside(const PreparedFunction &P, const llvm::CallBase &Call);

} // namespace isozyme

#endif
