//===- VectorNames.h - Names of math functions on vectors --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that compute sin of several numbers at once name the function, the number
// of elements and more in one word. Whatever the word, the operation is the row of sin,
// element by element.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_VECTORNAMES_H
#define ISOZYME_OPS_VECTORNAMES_H

#include "isozyme/Ops/OpTable.h"

namespace isozyme {

/// Which operation a function of a vector library performs, by its name.
std::optional<MathName> parseVectorName(llvm::StringRef Name);
/// The function of the library of \p Like for \p Id, on the same vectors. Empty where that
/// library may lack it: only what all of them have had from the start is named.
std::string vectorName(llvm::StringRef Like, Op Id);

} // namespace isozyme

#endif
