//===- ResolvedCalls.h - Indirect calls resolved, for a while ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_RESOLVEDCALLS_H
#define ISOZYME_DRIVER_RESOLVEDCALLS_H

#include "isozyme/Prepare/IndirectCalls.h"
#include "llvm/IR/PassManager.h"

namespace isozyme {

/// While this lives, calls through pointers in what can be reached from some functions
/// are chains of direct calls. What is known of changed functions is forgotten.
class ResolvedCalls {
public:
  ResolvedCalls(llvm::Module &M, llvm::SetVector<llvm::Function *> Roots,
                llvm::FunctionAnalysisManager &FAM, bool Callbacks = true)
      : Calls(M, std::move(Roots), Callbacks), FAM(FAM) {
    forget();
    if (Callbacks) // Else everything is about to be simplified.
      simplify();
  }
  ~ResolvedCalls() {
    forget();
    Calls.putBack();
  }
  ResolvedCalls(const ResolvedCalls &) = delete;

private:
  void forget() {
    for (llvm::Function *F : Calls.changed())
      FAM.invalidate(*F, llvm::PreservedAnalyses::none());
  }
  void simplify();

  IndirectCalls Calls;
  llvm::FunctionAnalysisManager &FAM;
};

} // namespace isozyme

#endif
