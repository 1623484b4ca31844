//===- MarkerTargets.h - What marker calls lead to ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_MARKERTARGETS_H
#define ISOZYME_DRIVER_MARKERTARGETS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// What the first operands of the marker calls of a module say.
struct MarkerTargets {
  /// Functions that are named, in module order; all have a body.
  llvm::SetVector<llvm::Function *> Named;
  /// Functions that hand a function, which only their callers know, on to a marker
  /// call. They have to be inlined.
  llvm::SetVector<llvm::Function *> Wrappers;
  /// Functions with a marker call whose first operand is a value that simplification
  /// has to find, and the callers of the wrappers among them.
  llvm::SetVector<llvm::Function *> Unresolved;

  explicit MarkerTargets(llvm::Module &M);
  /// Where whatever is to be differentiated starts.
  llvm::SetVector<llvm::Function *> roots() const;

private:
  void addUnresolved(llvm::Function &F, llvm::Value &Target);
};

/// The function with a body that \p V is the address of, or null.
llvm::Function *definedFunction(llvm::Value *V);

/// Adds to \p Reached the functions with a body that its members refer to, and so
/// on; but none of which \p Skip is true.
void addReachable(llvm::SetVector<llvm::Function *> &Reached,
                  llvm::function_ref<bool(llvm::Function &)> Skip);

/// Runs before anything else in the pipeline: sees to it that what marker calls
/// lead to is still there, and still visible, when AutodiffPass runs.
class KeepTargetsPass : public llvm::PassInfoMixin<KeepTargetsPass> {
public:
  /// \p PinOnly: nothing but always_inline functions will be inlined (-O0).
  explicit KeepTargetsPass(bool PinOnly = false) : PinOnly(PinOnly) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  bool PinOnly;
};

/// Undoes what KeepTargetsPass has changed: the reasons for it are gone.
void releaseTargets(llvm::Module &M);

} // namespace isozyme

#endif
