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

#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class PreparedFunction;

class ActivityResult {
public:
  /// Floats (and what holds float bits): may its derivative be non-zero and
  /// matter? Pointers: does the memory behind it need a shadow?
  /// Constants (other than addresses of active globals) are never active.
  bool isActiveValue(const llvm::Value *V) const { return Active.contains(V); }

  /// May an active input influence \p V, whether or not that matters to a result?
  bool isVaried(const llvm::Value *V) const { return isActiveValue(V) || Futile.contains(V); }

  /// Does this instruction move derivatives: an active result, a store of an
  /// active value or into active memory, a bulk copy between active memory, a
  /// call that does any of these, the `ret` of an active value?
  bool isActiveInstruction(const llvm::Instruction *I) const {
    return ActiveInstructions.contains(I);
  }

  /// Active pointers whose shadow may be the pointer itself: then what is done through
  /// them to shadow memory must not be done.
  ShadowCheck checkOf(const llvm::Value *Ptr) const { return Checks.lookup(Ptr); }
  const llvm::DenseMap<const llvm::Value *, ShadowCheck> &checks() const { return Checks; }
  /// The same of everything that can be reached from \p Ptr.
  ShadowCheck checkBehind(const llvm::Value *Ptr) const { return ChecksBehind.lookup(Ptr); }
  /// An active pointer that surely is its own shadow: it leads to memory without, and
  /// may meet others that have one.
  bool isOwnShadow(const llvm::Value *V) const { return OwnShadows.contains(V); }
  /// The variables that get a shadow of their own making, by name.
  llvm::ArrayRef<llvm::GlobalVariable *> globals() const { return Globals; }
  bool hasShadow(const llvm::GlobalVariable &G) const { return llvm::is_contained(Globals, &G); }

  /// Why \p V is active: from the argument to V, one line each, nearest first.
  llvm::SmallVector<std::string, 4> causeOf(const llvm::Value *V) const;
  /// \p V, what it depends on, and so on to an argument or global variable.
  llvm::SmallVector<const llvm::Value *, 8> chainOf(const llvm::Value *V) const;
  /// The same as half a sentence with the names of the source: "depends on argument 1 (x)
  /// of 'f', which is differentiated, by way of 'y'".
  std::string whyActive(const PreparedFunction &P, const llvm::Value *V) const;

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
  llvm::DenseSet<const llvm::Value *> Futile; ///< Varied, and no active output depends on it.
  llvm::DenseSet<const llvm::Instruction *> ActiveInstructions;
  llvm::DenseMap<const llvm::Value *, ShadowCheck> Checks, ChecksBehind;
  llvm::DenseSet<const llvm::Value *> OwnShadows;
  llvm::SmallVector<llvm::GlobalVariable *, 2> Globals;
  /// Where the derivative of a value comes from, and where it goes.
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Cause, UsedBy;
};

} // namespace isozyme

#endif
