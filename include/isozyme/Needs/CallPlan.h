//===- CallPlan.h - What each call does in each sweep ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decided before anything else is planned, since it says which derivatives of
// other functions are needed, and what a call reads in the reverse sweep.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_CALLPLAN_H
#define ISOZYME_NEEDS_CALLPLAN_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/ModRef.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace isozyme {

class ActivityResult;
class CalleeEffects;
class TypeResult;
class UnreadMemory;

struct CallPlan {
  enum Kind : uint8_t {
    Inactive,      ///< Runs once, in the forward sweep, as it stands.
    ByRule,        ///< A row of the rule table differentiates it.
    Structural,    ///< A linear intrinsic (vector.reduce.fadd).
    BulkMemory,    ///< memcpy, memmove, memset of memory that has a shadow.
    Allocate,      ///< The shadow is allocated (and zeroed) beside the primal.
    Free,          ///< Releases memory when the reverse sweep is over.
    Differentiate, ///< By a derivative of the callee: see Callee.
    Stop,          ///< The derivative ends the program here: Reason tells the user why.
  };
  Kind K = Inactive;
  /// Differentiate: the request for the callee. Mode is Forward for a forward
  /// request and Augment for the reverse modes (FromTape is its other half).
  DiffRequest Callee;
  /// Differentiate: the callee may (directly or not) call the function planned
  /// here, so that the type of its tape is not known: it is passed boxed.
  bool Recursive = false;
  /// Free: the memory has no shadow, which would be released with it.
  bool Shadowless = false;
  std::string Reason;
  /// What the call may do to memory in the forward sweep.
  llvm::MemoryEffects Effects = llvm::MemoryEffects::unknown();
};

using CallPlanSet = llvm::MapVector<const llvm::CallBase *, CallPlan>;

/// One plan per call instruction in \p P. Errors: IZ201, IZ205, IZ208, IZ210.
llvm::Expected<CallPlanSet> planCalls(const PreparedFunction &P, const TypeResult &Types,
                                      const ActivityResult &Activity, const DiffRequest &R,
                                      const UnreadMemory &Unread, CalleeEffects &Effects);

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, CallPlan::Kind K);
void printCallPlans(const PreparedFunction &P, const CallPlanSet &Calls, llvm::raw_ostream &OS);

} // namespace isozyme

#endif
