//===- Launches.h - Launches of kernels as calls -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_LAUNCHES_H
#define ISOZYME_REQUESTS_LAUNCHES_H

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// Turns the launches of kernels for which derivatives are registered into calls of one function
/// that takes the configuration, too, and has the derivative. For after applyAnnotations; doing it
/// again changes nothing. True if anything changed.
bool lowerLaunches(llvm::Module &M);

} // namespace isozyme

#endif
