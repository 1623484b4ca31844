//===- TypedFunction.cpp - Prepared code and its types --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/TypedFunction.h"
#include "isozyme/Plan/ByteRuns.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace isozyme {

static Expected<TypedFunction> prepareOnce(Function &F, FunctionAnalysisManager &FAM,
                                           ArrayRef<MistypedMove> Mistyped, TypeSummaries &Known) {
  TypedFunction Result;
  {
    TimeTraceScope Time("isozyme-prepare", F.getName());
    Expected<std::unique_ptr<PreparedFunction>> P = prepareFunction(F, FAM, Mistyped);
    if (!P)
      return P.takeError();
    Result.P = std::move(*P);
  }
  TimeTraceScope Time("isozyme-types", F.getName());
  Result.Types = analyzeTypes(*Result.P, Known);
  return std::move(Result);
}

Expected<TypedFunction> prepareWithTypes(Function &F, FunctionAnalysisManager &FAM,
                                         TypeSummaries &Known) {
  Expected<TypedFunction> Result = prepareOnce(F, FAM, {}, Known);
  if (!Result)
    return Result;
  SmallVector<MistypedMove, 0> Mistyped = mistypedMoves(*Result->P, *Result->Types);
  if (!Mistyped.empty()) {
    Result->Types.reset();
    Result->P.reset(); // So that the name is free for the next.
    Result = prepareOnce(F, FAM, Mistyped, Known);
  }
  if (Result) {
    noteBulkWords(Result->P->function(), *Result->Types);
    noteBulkTypes(Result->P->function(), *Result->Types);
  }
  return Result;
}

} // namespace isozyme
