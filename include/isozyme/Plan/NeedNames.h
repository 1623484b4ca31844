//===- NeedNames.h - Names of values that last from run to run ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_NEEDNAMES_H
#define ISOZYME_PLAN_NEEDNAMES_H

#include "isozyme/Needs/NeedSet.h"
#include "llvm/IR/ModuleSlotTracker.h"

namespace isozyme {

/// Names the needs of one prepared function. Preparing the same code again gives the same names.
class NeedNames {
public:
  explicit NeedNames(const PreparedFunction &P);
  /// "%x"
  std::string nameOf(const llvm::Value *V);
  /// "%x primal"
  std::string nameOf(const Need &N);
  /// Of the user's own code; 0 without debug information.
  static unsigned lineOf(const llvm::Value *V);
  static unsigned lineOf(const llvm::Loop *L);

private:
  llvm::ModuleSlotTracker Slots; ///< Numbers the function once, not for each name.
};

} // namespace isozyme

#endif
