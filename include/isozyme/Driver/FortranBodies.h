//===- FortranBodies.h - Bodies for one type of elements ---------*- C++ -*===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_FORTRANBODIES_H
#define ISOZYME_DRIVER_FORTRANBODIES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"

namespace isozyme {

/// flang calls one function for arrays of any type (`_FortranAAssign`). A derivative has to
/// know which, so while this lives, calls in \p M go to copies of the lent body: one for
/// each kind of elements that it is called with, and one per call where that is not known.
class FortranBodies {
public:
  FortranBodies(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                llvm::ArrayRef<llvm::Function *> Lent);
  /// The calls go to the library again.
  ~FortranBodies();
  FortranBodies(const FortranBodies &) = delete;
  FortranBodies &operator=(const FortranBodies &) = delete;
  /// Copies of what only bodies call.
  llvm::ArrayRef<llvm::Function *> helpers() const { return Helpers; }

private:
  llvm::FunctionAnalysisManager &FAM;
  /// The copy, and what it is a copy of.
  llvm::MapVector<llvm::Function *, llvm::Function *> Copies;
  llvm::SmallVector<llvm::Function *, 8> Helpers;
};

} // namespace isozyme

#endif
