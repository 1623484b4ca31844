//===- OutputCalls.h - Calls that only print ---------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program prints is of no consequence to what it computes: a function that is run
// again beside the program can do without these calls, if it is given the results that
// they have where nothing goes wrong.
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
