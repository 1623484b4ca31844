//===- Derivatives.h - Every derivative of a module, once --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns requests into functions and remembers them. Runs the stages in order,
// callees before callers. A request that fails leaves nothing behind.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_DERIVATIVES_H
#define ISOZYME_DRIVER_DERIVATIVES_H

#include "isozyme/Emit/ReverseEmitter.h"
#include "isozyme/Plan/DerivativePlan.h"
#include <optional>

namespace isozyme {

class Derivatives {
public:
  Derivatives(llvm::Module &M, llvm::FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {}

  /// The derivative function for a forward or combined reverse request.
  llvm::Expected<llvm::Function *> get(const DiffRequest &R);
  /// Plans a reverse request, hands the plan to \p Look, and leaves the module as
  /// it was (for printers).
  llvm::Error inspectPlan(const DiffRequest &R,
                          llvm::function_ref<void(const DerivativePlan &)> Look);

private:
  /// What is known of a function whatever is asked of it.
  struct Source {
    std::unique_ptr<PreparedFunction> P;
    std::optional<TypeResult> Types;
  };
  /// What is known of one request.
  struct Analysis {
    const PreparedFunction *P;
    const TypeResult *Types;
    ActivityResult Activity;
    CallPlanSet Calls;
  };
  struct Single {
    DiffRequest Request;
    llvm::Function *Fn;
  };
  struct Pair {
    DiffRequest Request;
    SplitPair Functions;
    std::unique_ptr<DerivativePlan> Plan; ///< Null while in progress.
  };

  llvm::Expected<Source *> source(llvm::Function &F);
  llvm::Expected<Analysis> analyze(const DiffRequest &R);
  llvm::Error deriveCallees(const CallPlanSet &Calls);
  llvm::Expected<llvm::Function *> derive(const DiffRequest &R);
  llvm::Error fill(llvm::Function &Shell, const DiffRequest &R);
  llvm::Error derivePair(const DiffRequest &R);
  llvm::Error emitPair(Pair &Self);
  llvm::Expected<std::unique_ptr<DerivativePlan>> planFrom(const DiffRequest &R, Analysis A);
  Pair *findPair(const DiffRequest &R);
  CalleeReads readsOf(const CallPlan &C);
  llvm::Function *declare(const DiffRequest &R, llvm::Type *Tape);
  bool mayReachItself(llvm::Function &F);
  void rollBack(size_t Functions, size_t Singles, size_t Pairs);
  llvm::Error verify(const llvm::Function &F, llvm::StringRef Stage);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  llvm::MapVector<llvm::Function *, std::unique_ptr<Source>> Sources;
  llvm::SmallVector<Single, 8> Singles;
  llvm::SmallVector<std::unique_ptr<Pair>, 8> Pairs;
  llvm::SmallVector<llvm::Function *, 8> Created;
};

} // namespace isozyme

#endif
