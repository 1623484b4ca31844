//===- PlanFile.h - Plans as data: written, and overridden -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -isozyme-plan-out=f.json writes every plan of a module, -isozyme-plan-in=f.json reads such a
// file and takes its decisions in place of the planner's. A plan is found again by its request,
// a decision by the name of its value and the line that this is computed in. See
// docs/plan-files.md for the members.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_PLANFILE_H
#define ISOZYME_PLAN_PLANFILE_H

#include "isozyme/Plan/DerivativePlan.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace isozyme {

class PlanFile {
public:
  /// Reads the decisions of \p Path; of no file if that is empty. Errors: a file that cannot be
  /// read or has another form, with the place in it.
  static llvm::Expected<PlanFile> read(llvm::StringRef Path);

  /// What the file says for \p R; nothing is wished for if it says nothing.
  const PlanWishes &wishesFor(const DiffRequest &R);
  /// Remembers \p Plan, for write.
  void note(const DerivativePlan &Plan);
  /// Warns of plans in the file that no derivative of \p M has asked for.
  void warnOfUnused(const llvm::Module &M) const;
  /// Writes the plans that were noted; no file if there is none or \p Path is empty.
  llvm::Error write(llvm::StringRef Path) const;

private:
  struct Entry {
    PlanWishes Wishes;
    std::string Function;
    bool IsUsed = false;
  };
  llvm::StringMap<Entry> Entries; ///< By the text of the request, or by the function's name.
  llvm::json::Array Noted;
  std::string First; ///< The function of the plan that was noted first.
};

} // namespace isozyme

#endif
