//===- ActivityAnalysis.h - Varied and useful --------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_ACTIVITY_ACTIVITYANALYSIS_H
#define ISOZYME_ACTIVITY_ACTIVITYANALYSIS_H

#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Types/TypeResult.h"

namespace isozyme {

/// Finds what is active in \p P under request \p R. Errors: active data in a
/// place that has no shadow (IZ204, IZ207), named with its place.
llvm::Expected<ActivityResult> analyzeActivity(const PreparedFunction &P, const TypeResult &Types,
                                               const DiffRequest &R);

} // namespace isozyme

#endif
