//===- OptNoneClones.h - Simplify without touching the user's ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At -O0, and in functions marked optnone, code keeps every variable in memory
// and hides functions behind wrappers. Differentiating that is slow and needs
// proofs that simplified code does not. But the user chose -O0 to debug: what
// they wrote must stay as it is. So what is reached from the operands of marker
// calls is cloned, and only the clones are simplified.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_OPTNONECLONES_H
#define ISOZYME_DRIVER_OPTNONECLONES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace isozyme {

class OptNoneClones {
public:
  /// Clones what the marker calls of \p M reach, if any of it is optnone or keeps its parameters
  /// in variables, or \p AllRaw says that nothing has been simplified. While this object lives,
  /// a clone has the name of its original (so that diagnostics and tables of
  /// known names see the user's name), and marker calls name the clone.
  OptNoneClones(llvm::Module &M, bool AllRaw);
  OptNoneClones(const OptNoneClones &) = delete;

  /// Is there anything to simplify?
  bool empty() const { return Clones.empty() && Callers.empty(); }

  /// Runs \p Passes over the module; every function that the user can see is
  /// out of their reach meanwhile.
  void simplify(llvm::Module &M, llvm::ModulePassManager &Passes, llvm::ModuleAnalysisManager &MAM);
  /// Marker calls ask for the clones of the functions that they name.
  void nameClones(llvm::Module &M);

  /// Gives marker calls that are left their functions back, and these their names; erases the
  /// clones that nothing uses.
  void finish(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

private:
  void cloneAll();
  void redirect(llvm::Function &In);
  void restoreValues(llvm::ArrayRef<llvm::WeakVH> LiveCallers);
  void restoreTargets(llvm::Module &M);
  void redirectCalls(llvm::Function &In);
  llvm::Function *cloneOf(llvm::Value *V) const;
  void eraseUnused(llvm::FunctionAnalysisManager &FAM);

  /// What will be cloned, in the order it was reached.
  llvm::SetVector<llvm::Function *> Reached;
  /// The user's functions that pass a function on to a marker call. They are
  /// simplified in place: only then is it known what is to be differentiated.
  llvm::SetVector<llvm::Function *> Callers;
  /// By original. Null: the inliner has erased a clone that nothing used any more.
  llvm::MapVector<llvm::Function *, llvm::WeakVH> Clones;
  /// The names of the originals.
  llvm::SmallVector<std::pair<llvm::Function *, std::string>, 16> Names;
  /// Present before simplification, hence the user's.
  llvm::SmallVector<llvm::WeakVH, 32> UserFunctions;
};

} // namespace isozyme

#endif
