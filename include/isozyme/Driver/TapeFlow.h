//===- TapeFlow.h - Which second half gets the tape of a first --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %t = call ptr @__enzyme_augmentfwd(ptr @f, double %x)
//   %d = call double @__enzyme_fwdsplit(ptr @f, double %x, double 1.0, ptr %t)
//
// A first half does not say whether __enzyme_reverse or __enzyme_fwdsplit will follow, and
// the two need different tapes: here, a record. Where a file has both for one function,
// the way of the tape tells. A tape may leave the file. If every second half of one kind
// takes another tape, this one is for the other kind.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_TAPEFLOW_H
#define ISOZYME_DRIVER_TAPEFLOW_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace isozyme {

class TapeFlow {
public:
  TapeFlow(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  /// Has \p F second halves of both kinds?
  bool hasBoth(llvm::Function &F) const { return Both.contains(&F); }
  bool isReplayed(llvm::Function &F) const { return Replayed.contains(&F); }
  /// Is the tape of this first half one for __enzyme_fwdsplit? None where it may be either.
  std::optional<bool> makesRecord(const llvm::CallBase &First) const;
  /// Which scalar of the struct of pointers that this first half returns is used as the tape. None
  /// where that is out of sight; an error where the uses contradict each other.
  llvm::Expected<std::optional<unsigned>> tapeLeaf(const llvm::CallBase &First) const;
  /// May the tape be another scalar of that struct than the first? No use of a tape is seen, and
  /// others than the first go out of sight.
  bool isTapeUnclear(const llvm::CallBase &First) const;

private:
  struct Half {
    llvm::CallBase *Call; ///< The user's; what is looked at is a simplified copy of it.
    llvm::Function *Fn;
    bool OutOfSight = false;
    llvm::SmallVector<llvm::CallBase *, 2> Others; ///< Second halves of it, or first ones.
  };
  /// Of a struct of pointers: what becomes of its scalars.
  struct Leaves {
    llvm::SetVector<unsigned> Tapes, Addresses, Leaving;
  };
  void followLeaves(const llvm::CallBase &First, llvm::CallBase &Copy);
  void readCopy(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  void follow(Half &First, llvm::CallBase &Copy);
  void traceBack(Half &Second, llvm::CallBase &Copy);
  void decide(const Half &First);

  /// Those that are replayed, reversed, too, or have a first half that returns pointers alone.
  llvm::SetVector<llvm::Function *> Replayed, Both, OfPointers;
  llvm::DenseMap<const llvm::Value *, llvm::CallBase *> Originals;
  llvm::SmallVector<Half, 4> Firsts, Reverses, Replays;
  llvm::DenseMap<const llvm::CallBase *, bool> Known;
  llvm::DenseMap<const llvm::CallBase *, Leaves> Uses;
};

} // namespace isozyme

#endif
