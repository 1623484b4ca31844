//===- ExplainRequests.h - Ask for what is to be explained -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `isozyme explain` tells of any function, also of one that nothing differentiates. For
// such a function a call is added that asks for its derivative, with the activities that
// types suggest, before anything is optimised; it goes the way of every call, and is
// gone when the explanation is written.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_EXPLAINREQUESTS_H
#define ISOZYME_DRIVER_EXPLAINREQUESTS_H

#include "llvm/IR/PassManager.h"

namespace isozyme {

/// Asks for the function of -isozyme-explain-function. Reports when there is none of
/// that name, with those that are nearly called so. Returns whether the module changed.
bool addExplainRequest(llvm::Module &M);
/// Erases what addExplainRequest has made.
void eraseExplainRequests(llvm::Module &M);

/// addExplainRequest as the first pass of a pipeline.
class ExplainRequestPass : public llvm::PassInfoMixin<ExplainRequestPass> {
public:
  explicit ExplainRequestPass(void (*LoadOptions)()) : LoadOptions(LoadOptions) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  void (*LoadOptions)();
};

} // namespace isozyme

#endif
