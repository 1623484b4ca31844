//===- RecomputeGraph.h - How needed values could be had again ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_RECOMPUTEGRAPH_H
#define ISOZYME_PLAN_KEEP_RECOMPUTEGRAPH_H

#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Needs/StoredValues.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace isozyme {

/// Loads that can be repeated where what the stores have overwritten is put back.
using UndoChoices = llvm::MapVector<llvm::LoadInst *, llvm::SmallVector<llvm::StoreInst *, 2>>;

/// One value that the reverse sweep reads or could compute others from.
struct RecomputeNode {
  enum Kind : uint8_t {
    Free,    ///< At hand in the reverse sweep.
    Compute, ///< Its instruction can be repeated.
    Reload,  ///< Its load can be repeated.
    Fixed,   ///< Cannot be computed again, or at too high a cost: only kept.
  };
  Kind K = Free;
  std::string Reason;
  llvm::SmallVector<Need, 3> Operands; ///< Compute, Reload.
  /// What keeping it and what computing it again costs, in simple operations times
  /// the expected trip count.
  uint64_t Cost = 0, Work = 0;
  bool Dear = false; ///< Compute: a call of a function.
  /// Reload: what has to be undone before.
  llvm::SmallVector<llvm::StoreInst *, 2> Undone = {};
  /// What others have decided (KeepWishes.h).
  bool MustKeep = false, MustCompute = false;
};

using RecomputeGraph = llvm::MapVector<Need, RecomputeNode>;

/// What the nodes of a plan are made from. The graph has a node for everything that
/// needs depend on.
struct RecomputeFacts {
  const PreparedFunction &P;
  const DiffRequest &R;
  const CallPlanSet &Calls;
  const StepPlan &Steps;
  const MemoryAvailability &Memory;
  const StoredValues &Stored;
  const UndoChoices *Undo = nullptr;
};

RecomputeGraph buildRecomputeGraph(const RecomputeFacts &F, const NeedSet &Needs,
                                   KeepPolicy Policy);

/// The type in which \p N is kept: for integers in arrays the narrowest that
/// holds all their values (unsigned), `i8` for `i1`, [Width x ptr] for shadows.
llvm::Type *keptType(const PreparedFunction &P, const Need &N, const DiffRequest &R,
                     llvm::Type *Tape);

/// The needs (or what they are computed from) that must be kept: a minimum cut
/// between what is fixed and what is needed.
llvm::SetVector<Need> chooseKept(const RecomputeGraph &G, const NeedSet &Needs);

} // namespace isozyme

#endif
