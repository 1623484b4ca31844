//===- TypedFunction.h - Prepared code and its types ------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_TYPEDFUNCTION_H
#define ISOZYME_DRIVER_TYPEDFUNCTION_H

#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Types/TypeAnalysis.h"

namespace isozyme {

struct TypedFunction {
  std::unique_ptr<PreparedFunction> P;
  std::optional<TypeResult> Types;
};

/// Prepares \p F and finds its types; once more if that shows integers to be addresses.
llvm::Expected<TypedFunction>
prepareWithTypes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, TypeSummaries &Known);

} // namespace isozyme

#endif
