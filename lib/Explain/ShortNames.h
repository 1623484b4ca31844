//===- ShortNames.h - Names of values that have no short text ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_SHORTNAMES_H
#define ISOZYME_LIB_EXPLAIN_SHORTNAMES_H

#include "LineTable.h"

namespace isozyme {

class SourceText;

/// Says, beside the lines that compute them, what the short names are that \p Lines and \p D use.
void addMeanings(LineTable &Lines, ExplainedDerivative &D, SourceText &Words);

/// t#17, t#4  ->  t1, t2, in the order in which they are read.
void nameShortTexts(ExplainedDerivative &D);

} // namespace isozyme

#endif
