//===- TypeAnalysis.h - Deduce what memory holds -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_TYPEANALYSIS_H
#define ISOZYME_TYPES_TYPEANALYSIS_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Types/TypeResult.h"

namespace isozyme {

/// Deduces types for one prepared function from its own code, TBAA, known
/// library functions and (read only) the bodies of the functions it calls.
TypeResult analyzeTypes(const PreparedFunction &P);

} // namespace isozyme

#endif
