//===- VectorShadows.h - Shadows of std::vectors are as long ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   double f(const std::vector<double> &x);
//   std::vector<double> x{1, 2}, dx;   __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx)
//
// The derivative would write behind the elements of dx. A call whose function refers to a
// constant vector of numbers, by its signature, compares the two sizes first and ends the
// program with a sentence.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_VECTORSHADOWS_H
#define ISOZYME_DRIVER_VECTORSHADOWS_H

#include "isozyme/Requests/MarkerCalls.h"

namespace isozyme {

/// \p New is what has replaced the call \p M.
void compareVectorSizes(llvm::CallBase &New, const MarkerCall &M);

} // namespace isozyme

#endif
