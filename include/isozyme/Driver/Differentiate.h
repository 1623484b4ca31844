//===- Differentiate.h - All requests of a module ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_DIFFERENTIATE_H
#define ISOZYME_DRIVER_DIFFERENTIATE_H

#include "llvm/IR/PassManager.h"

namespace isozyme {

class Explainer;
class PlanFile;

/// Does the module hold a call that asks for a derivative? Cheap: looks at the
/// names of functions only.
bool hasRequests(const llvm::Module &M);

struct DifferentiateOptions {
  /// This is a compilation for full link-time optimisation; a call that needs the body of a
  /// function that is only declared here (IZ102, IZ201) is left as it is, without an error, for
  /// the linker's run.
  bool BeforeLink = false;
  /// Is told of everything, if given.
  Explainer *Explain = nullptr;
  /// Is told of all plans, and overrides their decisions.
  PlanFile *Plans = nullptr;
  /// What has been differentiated runs in its prepared form from now on, which computes the same.
  bool RunPrepared = false;
};

/// Lowers every request in the module; reports errors; returns whether the module changed.
bool differentiateModule(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                         const DifferentiateOptions &Options = {});

} // namespace isozyme

#endif
