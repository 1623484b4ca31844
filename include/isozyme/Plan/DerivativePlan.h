//===- DerivativePlan.h - All decisions on one reverse derivative *- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse emitters execute this plan. It says what they do for each instruction, how
// they obtain each needed value, where kept values lie on the tape, how the reverse sweep
// walks the blocks, and what calls do. It is pure data. `print<isozyme-plan>` prints it,
// and verifyPlan checks it.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_DERIVATIVEPLAN_H
#define ISOZYME_PLAN_DERIVATIVEPLAN_H

#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Plan/Keep/ChosenIterations.h"
#include "isozyme/Plan/Keep/FusedLoops.h"
#include "isozyme/Plan/Keep/KeepDecision.h"
#include "isozyme/Plan/Keep/KeepWishes.h"
#include "isozyme/Plan/Keep/ZeroSkips.h"
#include "isozyme/Plan/Order/CarriedSums.h"
#include "isozyme/Plan/Order/IndependentLoops.h"
#include "isozyme/Plan/Order/RisingLoops.h"
#include "isozyme/Plan/Order/SwappedLoops.h"
#include "isozyme/Plan/Order/UnseenSums.h"
#include "isozyme/Plan/ReverseCFG.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Plan/Steps/ShadowScopes.h"
#include "isozyme/Plan/Tape/LocalBlock.h"
#include "isozyme/Plan/Tape/TapeLayout.h"
#include "isozyme/Plan/Versions/VersionPlan.h"
#include "isozyme/Plan/Watch.h"
#include "llvm/IR/Instructions.h"
#include <memory>

namespace isozyme {

struct DerivativePlan {
  DerivativePlan(const PreparedFunction &P, const DiffRequest &R, CallPlanSet Calls,
                 UnreadMemory Unread, LateStores Late)
      : P(P), Request(R), Calls(std::move(Calls)), Unread(std::move(Unread)),
        Late(std::move(Late)) {}

  const PreparedFunction &P;
  DiffRequest Request;
  CallPlanSet Calls;
  /// What is done for each instruction.
  StepPlan Steps;
  /// Which accesses to shadows and tape never meet others.
  ShadowScopes Scopes;
  /// The variables that get a shadow of their own making, by name.
  llvm::SmallVector<llvm::GlobalVariable *, 2> Globals;
  /// The threads of a block wait for each other at its end, as they do before.
  bool WaitsForBlock = false;
  UnreadMemory Unread;
  LateStores Late;
  /// Combined only: the sweep, or a callee's, puts off the release of memory; it
  /// happens when the reverse sweep is over.
  bool ReleasesAtEnd = false;
  /// Combined only: it may be left by an exception or longjmp with tape in memory of the
  /// thread, and says where it is when it begins.
  bool MarksMemory = false;
  std::unique_ptr<ReverseCFG> CFG;
  NeedSet Needs;
  llvm::MapVector<Need, KeepDecision> Keep;
  /// Combined only: loops that the forward sweep leaves out.
  FusedLoops Fused;
  /// Loops of which the reverse sweep runs one iteration.
  ChosenIterations Chosen;
  /// Adjoints of neighbours, which loops add up in registers.
  CarriedSums Carried;
  /// Loops whose iterations are reversed in the order in which they ran.
  RisingLoops Rising;
  /// Inner loops that are outside in the reverse sweep.
  SwappedLoops Swapped;
  /// Loops whose reverse has no dependences through memory.
  IndependentLoops Independent;
  /// Sums of the function itself that the derivative adds up in any order.
  UnseenSums Unseen;
  /// What is left out where the adjoints that come in are zero.
  ZeroSkips Skips;
  TapeLayout Tape;
  /// Split requests: small locals on the heap that share a block.
  LocalBlock Locals;
  /// What the reverse half reads of the parameters (asked by callers).
  CalleeReads Reads;
  /// Of the decisions that others made (-isozyme-plan-in), those that were not taken.
  llvm::SmallVector<RefusedWish, 2> Refused;
  /// What is printed at run time (-isozyme-watch).
  WatchSet Watches;
  /// Combined only: a version for memory that is apart, or why there is none. Null: nothing would
  /// be gained.
  std::unique_ptr<VersionPlan> Versions;

  /// Null when the need was never planned.
  const KeepDecision *decisionFor(const Need &N) const {
    auto It = Keep.find(N);
    return It == Keep.end() ? nullptr : &It->second;
  }
  /// Split requests: memory of this activation (primal or shadow) that the other
  /// half reads must lie on the heap.
  bool onHeap(llvm::AllocaInst *A, Part Which) const {
    const KeepDecision *D = Request.isSplit() ? decisionFor({A, Which}) : nullptr;
    return D && D->K == KeepDecision::Cache;
  }
  void print(llvm::raw_ostream &OS) const;
};

/// Plans the reverse derivative (combined, or both halves of a split pair) of
/// \p P. \p Query answers for callees, which are planned first. \p Wishes come before
/// what the planner would choose.
llvm::Expected<std::unique_ptr<DerivativePlan>>
planReverse(const PreparedFunction &P, const DiffRequest &R, const TypeResult &Types,
            const ActivityResult &Activity, CallPlanSet Calls, UnreadMemory Unread, LateStores Late,
            const MemoryAvailability &Memory, CalleeQuery Query,
            llvm::function_ref<llvm::Type *(const CallPlan &)> TapeTypeOf,
            const PlanWishes &Wishes = {});

/// May an exception or longjmp leave \p P at one of its calls? Those that \p Calls
/// differentiates are left out.
bool mayBeLeft(const PreparedFunction &P, const CallPlanSet &Calls);

/// True, and an explanation in \p OS, when the plan breaks a rule of its own.
bool verifyPlan(const DerivativePlan &Plan, llvm::raw_ostream *OS);

/// May the derivative add up numbers in another order than the source says? Not where people look
/// at them one after the other. On GPUs nobody has measured what it gives.
bool mayReorder(const DerivativePlan &Plan);

/// Where the tape lies, but for small arrays on the stack.
TapeMemory memoryOfTape(const PreparedFunction &P, const DiffRequest &R);

/// Optimisation remarks on what was kept, recomputed, read again, and why.
void remarkPlan(const DerivativePlan &Plan);
/// A remark for each pointer that may be its own shadow, which is looked at at run time.
void remarkChecks(const PreparedFunction &P, const StepPlan &Steps);

} // namespace isozyme

#endif
