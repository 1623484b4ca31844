//===- Passes.h - Isozyme's stages as LLVM passes ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_PASSES_H
#define ISOZYME_DRIVER_PASSES_H

#include "llvm/IR/PassManager.h"
#include <memory>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace isozyme {

/// What AutodiffPass does besides differentiating.
struct AutodiffSetup {
  /// Fills Options from the command line; null: leave them.
  void (*LoadOptions)() = nullptr;
  /// Simplifies clones of code that has not been simplified, before it is
  /// differentiated. Null: take code as it is.
  std::shared_ptr<llvm::ModulePassManager> Raw;
  /// The same again for the derivatives of such code. Another object: LLVM's
  /// inliner pipeline runs only once.
  std::shared_ptr<llvm::ModulePassManager> RawAfter;
  /// Nothing in the module has been simplified (-O0), marked optnone or not.
  bool AllRaw = false;
  /// Run before anything else when there is something to differentiate.
  std::shared_ptr<llvm::ModulePassManager> Before;
  /// Run on a module that has changed. Null: leave the derivatives as they are.
  std::shared_ptr<llvm::ModulePassManager> After;
  /// How the code has been optimised before, in words for a person: "-O2".
  std::string Level = "opt";
  /// This is a compilation for link-time optimisation: a function without a
  /// body may get one later.
  bool BeforeLink = false;
  /// As BeforeLink where the module says that it may be linked as a whole; thin
  /// link-time optimisation alone brings no bodies from other files.
  bool BeforeThinLink = false;
};

/// Differentiates what the module asks for. Costs one look at the names of the
/// functions when it asks for nothing.
class AutodiffPass : public llvm::PassInfoMixin<AutodiffPass> {
public:
  explicit AutodiffPass(AutodiffSetup Setup) : Setup(std::move(Setup)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  AutodiffSetup Setup;
};

/// What a printer pass shows.
enum class PrintedStage { Requests, Prepared, Types, Activity, Needs, Plan };

/// Prints what a stage finds out about every function that a marker call or the
/// attribute "isozyme-request" asks for. Leaves the module as it was.
class StagePrinterPass : public llvm::PassInfoMixin<StagePrinterPass> {
public:
  /// \p Asked: the name of Enzyme's that the pass was asked for by; it takes the function to
  /// print from an option.
  StagePrinterPass(PrintedStage Stage, llvm::raw_ostream &OS, void (*LoadOptions)(),
                   llvm::StringRef Asked = "")
      : Stage(Stage), OS(OS), LoadOptions(LoadOptions), Asked(Asked) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  PrintedStage Stage;
  llvm::raw_ostream &OS;
  void (*LoadOptions)();
  llvm::StringRef Asked;
};

} // namespace isozyme

#endif
