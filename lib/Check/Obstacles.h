//===- Obstacles.h - What a check must not run again -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An obstacle is an effect that cannot be undone, or a mark that gives a function another
// derivative than its body has. An effect belongs to one call, which may never run: a
// check ends its run in front of it. A mark is an obstacle wherever it is.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CHECK_OBSTACLES_H
#define ISOZYME_LIB_CHECK_OBSTACLES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class GlobalVariable;
} // namespace llvm

namespace isozyme {

struct Obstacles {
  std::string Why;       ///< Not empty: no run of the function says anything, because ...
  std::string Rules;     ///< Functions in it that have registered derivatives.
  bool Prints = false;   ///< It has calls that print, which are left out.
  bool HasFloat = false; ///< It computes in single precision somewhere.
  /// Says what was thrown where exceptions that it catches are values; or null.
  llvm::GlobalVariable *Thrown = nullptr;
  llvm::SetVector<llvm::Function *> Code; ///< The function, and all with a body that it calls.
  /// Calls that a run must not do, and why: "it calls 'rand', whose effects ...".
  llvm::DenseMap<const llvm::CallBase *, std::string> Calls;
};

Obstacles obstaclesIn(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// What a call leads to, if it says so.
llvm::Function *calleeOf(const llvm::CallBase &Call);

/// Does \p Call lock or unlock? Runs for a check do without, for they may end in between, and a
/// caller may hold the lock.
bool onlyLocks(const llvm::CallBase &Call);

/// The blocks from which control may come back. Where it does not, runs are left: code that
/// makes an exception and throws it has effects, but not on values.
llvm::SmallSetVector<llvm::BasicBlock *, 16> liveBlocks(llvm::Function &F);

} // namespace isozyme

#endif
