//===- Prepare.h - Bring a function into legal form --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_PREPARE_H
#define ISOZYME_PREPARE_PREPARE_H

#include "isozyme/Prepare/PreparedFunction.h"

namespace isozyme {

/// Clones \p F (internal, named "<f>.prepared") and brings the clone into legal
/// form. The original is not touched. On error no clone is left behind.
llvm::Expected<std::unique_ptr<PreparedFunction>>
prepareFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Checks the legal set and the facts that PreparedFunction promises; returns
/// true and writes why to \p OS when something is broken (as llvm::verifyFunction).
bool verifyPrepared(const PreparedFunction &P, llvm::raw_ostream *OS);

} // namespace isozyme

#endif
