//===- OutputCalls.h - Calls that only print ---------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing does not change what a program computes. A function that runs a second time
// beside the program leaves these calls out. It takes the results that they return when
// they succeed.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_OUTPUTCALLS_H
#define ISOZYME_OPS_OUTPUTCALLS_H

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace isozyme {

/// printf, fputs, the members of std::ostream and its operators, Fortran's write, and
/// functions of the user's that hand their arguments on to vprintf.
bool isOutput(const llvm::CallBase &Call);
/// Such a call, or one that makes a character for such calls.
bool servesOutput(const llvm::CallBase &Call);
/// What such a call, which returns something, returns if it succeeds.
llvm::Value *resultOfOutput(const llvm::CallBase &Call);

} // namespace isozyme

#endif
