//===- ActivityResult.h - What carries a derivative, and why -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is active when it is varied (an active input may influence it) and
// useful (it may influence an active output). For a pointer the question is
// asked of the memory behind it: an active pointer needs a shadow. Saying
// "active" is always correct where a shadow exists; saying "inactive" needs proof.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_ACTIVITY_ACTIVITYRESULT_H
#define ISOZYME_ACTIVITY_ACTIVITYRESULT_H

#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace llvm {
class Function;
class Instruction;
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class ActivityResult {
public:
  /// Floats (and what holds float bits): may its derivative be non-zero and
  /// matter? Pointers: does the memory behind it need a shadow?
  /// Constants (other than addresses of active globals) are never active.
  bool isActiveValue(const llvm::Value *V) const { return Active.contains(V); }

  /// Does this instruction move derivatives: an active result, a store of an
  /// active value or into active memory, a bulk copy between active memory, a
  /// call that does any of these, the `ret` of an active value?
  bool isActiveInstruction(const llvm::Instruction *I) const { return ActiveInstructions.contains(I); }
  /// Why \p V is active: from the argument to V, one line each, nearest first.
  llvm::SmallVector<std::string, 4> causeOf(const llvm::Value *V) const;

  /// Things that are not wrong but probably not meant (IZ301); the driver prints them.
  struct Warning {
    DiagId Id;
    Place Where;
    std::string Text;
  };
  llvm::ArrayRef<Warning> warnings() const { return Warnings; }

  void print(llvm::raw_ostream &OS) const;
  /// Checks that the shadow of every active pointer can be made from shadows of
  /// what it is made of; true and a text in \p OS when that is broken.
  bool verify(llvm::raw_ostream &OS) const;

private:
  friend class ActivityAnalysis;
  const llvm::Function *F = nullptr;
  std::string Request;
  llvm::SmallVector<Warning, 2> Warnings;
  llvm::DenseSet<const llvm::Value *> Active;
  llvm::DenseSet<const llvm::Instruction *> ActiveInstructions;
  /// Where the derivative of a value comes from, and where it goes.
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Cause, UsedBy;
};

} // namespace isozyme

#endif
