//===- CaughtExceptions.h - Differentiated code that catches ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_CAUGHTEXCEPTIONS_H
#define ISOZYME_DRIVER_CAUGHTEXCEPTIONS_H

#include "isozyme/Prepare/ExceptionRuntime.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>

namespace isozyme {

/// While this lives, marker calls whose functions catch exceptions, or call what does, name
/// copies in which these are ordinary control flow (Prepare/ExceptionFlow.h). A copy has the
/// name of its original meanwhile. What is thrown and not caught in there is thrown where the
/// derivative returns.
class CaughtExceptions {
public:
  CaughtExceptions(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);
  ~CaughtExceptions();
  CaughtExceptions(const CaughtExceptions &) = delete;

private:
  /// A marker call, while it is there, and the call behind it that throws in earnest.
  struct Replaced {
    llvm::WeakVH Marker;
    llvm::Function *Original;
    llvm::WeakVH Leaving;
  };

  void makeCopies(llvm::ArrayRef<llvm::Function *> Functions);
  void redirectCalls(llvm::Function &In);
  void nameCopies(llvm::function_ref<bool(const llvm::Function &)> HasLeavings);
  llvm::CallBase *leaveBehind(llvm::CallBase &Marker);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  std::optional<ExceptionRuntime> Runtime;
  llvm::MapVector<llvm::Function *, llvm::Function *> Copies;
  llvm::SmallVector<Replaced, 4> Calls;
};

} // namespace isozyme

#endif
