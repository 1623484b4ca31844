//===- CheckpointPlan.h - Loops that are run in parts ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pair of a function f.steps(first, last, ...), which runs iterations of a loop:
//
//   forward:  for each part { save what it overwrites; f.steps(part) }
//   reverse:  for each part, from the last one { put it back; reverse.f.steps(part) }
//
// reverse.f.steps is the ordinary combined derivative, with a tape of one part. How many parts
// there are is chosen when the program runs (CheckpointSchedule.h), from the bytes of a
// snapshot and of the tape of an iteration. The plan says how both are computed.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_CHECKPOINTPLAN_H
#define ISOZYME_PLAN_CHECKPOINTPLAN_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Plan/EntryExtent.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class SCEV;
} // namespace llvm

namespace isozyme {

class TypeResult;
struct DerivativePlan;

/// A condition on the way to some code, known before the loop.
struct KnownCondition {
  const llvm::Value *Value;
  bool Holds;
  bool operator==(const KnownCondition &) const = default;
};

/// The bytes from Begin up to End behind a pointer, where all conditions hold.
struct SavedPart {
  const llvm::SCEV *Begin = nullptr, *End = nullptr;
  llvm::SmallVector<KnownCondition, 2> If;
  bool operator==(const SavedPart &) const = default;
};

/// What a snapshot holds of the memory behind a parameter or global variable: all from the
/// first byte of the parts to the last.
struct SavedMemory {
  const llvm::Value *Base;
  llvm::SmallVector<SavedPart, 2> Parts;
};

/// Bytes of tape that each iteration needs: a product.
struct TapeShare {
  uint64_t Bytes;
  llvm::SmallVector<const llvm::Value *, 2> Times;
};

struct CheckpointPlan {
  CheckpointPlan(const PreparedFunction &P, const DiffRequest &R) : P(P), Request(R) {}

  const PreparedFunction &P;
  DiffRequest Request;
  unsigned First = 0, Last = 0; ///< The parameters.
  llvm::SmallVector<SavedMemory, 4> Saved;
  /// What is saved depends on the iterations.
  bool Moves = false;
  llvm::SmallVector<TapeShare, 4> Tape;
  /// The tape of all iterations, in words of the source: "16 bytes * steps * n".
  std::string WholeTape;
  /// A part of the tape that cannot be known before the loop; empty if there is none.
  std::string UnknownTape;
  /// Why this cannot be; empty if it can. Nothing else is said then.
  std::string Refused;
  const llvm::Instruction *RefusedAt = nullptr;

  /// The number of iterations of the loop, if that is a constant.
  std::optional<uint64_t> iterations() const;
  /// The derivative of a part.
  DiffRequest partRequest() const;
  /// In bytes, if they are constants.
  std::optional<uint64_t> snapshotBytes() const;
  std::optional<uint64_t> tapeBytes() const;
  /// "about 12.3 MB at once, 1 run of the loop more"; or in terms of the loop.
  std::string forecast() const;
  void print(llvm::raw_ostream &OS) const;
};

/// Is this function one that runs iterations of a loop that is run in parts?
bool isCheckpointed(const llvm::Function &F);

CheckpointPlan planCheckpoints(const PreparedFunction &P, const DiffRequest &R,
                               const TypeResult &Types, const CallPlanSet &Calls);
/// Adds what the derivative of a part keeps.
void noteTape(CheckpointPlan &Plan, const DerivativePlan &Part);

/// True, and an explanation in \p OS, when the plan breaks a rule of its own.
bool verifyPlan(const CheckpointPlan &Plan, llvm::raw_ostream *OS);
/// A remark on what is saved and the forecast.
void remarkPlan(const CheckpointPlan &Plan);

} // namespace isozyme

#endif
