//===- ContainerShadows.h - Shadows of containers are as large --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   double f(const std::vector<double> &x);
//   std::vector<double> x{1, 2}, dx;   __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx)
//
// The derivative would write behind the elements of dx. A call whose function refers to a
// constant vector, list or map of numbers, by its signature, compares the two sizes first and ends
// the program with a sentence.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_CONTAINERSHADOWS_H
#define ISOZYME_DRIVER_CONTAINERSHADOWS_H

#include "isozyme/Requests/MarkerCalls.h"

namespace isozyme {

/// \p New is what has replaced the call \p M.
void compareContainerSizes(llvm::CallBase &New, const MarkerCall &M);

} // namespace isozyme

#endif
