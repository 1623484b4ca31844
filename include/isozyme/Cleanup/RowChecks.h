//===- RowChecks.h - Checks of rows that loops walk backwards ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CLEANUP_ROWCHECKS_H
#define ISOZYME_CLEANUP_ROWCHECKS_H

#include "llvm/IR/PassManager.h"

namespace isozyme {

/// In front of the vectoriser: in loops that count down (`FallMark`), the check of an inner loop
/// for memory that overlaps is to be made of its row alone, not of all rows at once.
class RowChecksPass : public llvm::PassInfoMixin<RowChecksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace isozyme

#endif
