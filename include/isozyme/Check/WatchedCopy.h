//===- WatchedCopy.h - A function that says what memory it uses --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks run a function several times, on inputs that are moved a little, and put
// everything back afterwards. For that they use a copy that announces each access to
// memory that outlives it. What it prints is printed by the program itself, not by copies; a
// run ends before a call whose effects cannot be put back. Its callees are copies too, without the
// derivatives that users have registered for them: what is compared has to be independent of those.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_WATCHEDCOPY_H
#define ISOZYME_CHECK_WATCHEDCOPY_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace isozyme {

struct WatchedCopy {
  llvm::Function *Fn = nullptr;    ///< Null: the function cannot be run twice.
  std::string Why;                 ///< Then why: "it computes in half precision".
  std::string Rules;               ///< Functions in it that have registered derivatives.
  bool Prints = false;             ///< It prints something; the copy does not.
  bool HasFloat = false;           ///< It computes in single precision somewhere.
  llvm::Function *Plain = nullptr; ///< See plainOf.
  /// What it has thrown and not caught, when it returns; null if it catches nothing.
  llvm::GlobalVariable *Thrown = nullptr;
};

/// Makes copies and remembers them. All of them are internal functions.
class WatchedCopies {
public:
  explicit WatchedCopies(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}

  /// The copy of \p F. A parameter that is passed by value in memory is a plain pointer.
  const WatchedCopy &of(llvm::Function &F);
  /// A copy that announces nothing, of a function that has a watched one: for derivatives
  /// that are run after that one has told what memory is used.
  llvm::Function &plainOf(llvm::Function &F);
  /// Derivatives of copies also write to shadows, and allocate them: announces that too.
  void watchDerivative(llvm::ArrayRef<llvm::Function *> Made);

private:
  llvm::FunctionAnalysisManager &FAM;
  llvm::MapVector<llvm::Function *, WatchedCopy> Made;
  llvm::SmallPtrSet<llvm::Function *, 16> WithAllocations; ///< Those that tell what they allocate.
};

} // namespace isozyme

#endif
