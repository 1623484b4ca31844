//===- CallChecks.h - Which calls are checked, and with what -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -isozyme-check: for each call of a derivative, the copies of its function that a check
// runs. A call inside code that is itself differentiated is part of the check of that.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_CALLCHECKS_H
#define ISOZYME_DRIVER_CALLCHECKS_H

#include "isozyme/Check/CheckedCall.h"
#include "isozyme/Check/WatchedCopy.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace isozyme {

class Derivatives;

class CallChecks {
public:
  /// To be made while all marker calls are still there.
  CallChecks(llvm::Module &M, llvm::FunctionAnalysisManager &FAM, Derivatives &All);

  /// Nothing: not to be checked. To be asked before the call is replaced.
  std::optional<CheckPlan> planFor(const MarkerCall &Call);

private:
  std::string derive(const DiffRequest &R, CheckPlan &Plan);
  void deriveReverse(const DiffRequest &R, CheckPlan &Plan);

  Derivatives &All;
  WatchedCopies Copies;
  llvm::SetVector<llvm::Function *> Inside; ///< Code that is differentiated.
};

} // namespace isozyme

#endif
