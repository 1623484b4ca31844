//===- ExceptionParts.h - Caught exceptions in runs of a check ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that catches what it throws is differentiated in a form in which that is ordinary
// control flow (Prepare/ExceptionFlow.h). Runs of a check use copies of that form. Its helpers
// throw in earnest, and catch what they throw at once: they may be called any number of times.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CHECK_EXCEPTIONPARTS_H
#define ISOZYME_LIB_CHECK_EXCEPTIONPARTS_H

namespace llvm {
class CallBase;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace isozyme {

/// Does \p Call make, throw, hand on or release an exception, or look at one?
bool servesExceptions(const llvm::CallBase &Call);
/// Memory of an exception: the size is the first operand of \p Call.
bool allocatesException(const llvm::CallBase &Call);
/// Does \p I follow an exception that has been caught? It is marked inactive, by Isozyme.
bool followsException(const llvm::Instruction &I);
/// The variable of the thread that says what was thrown, if \p I uses it; or null.
llvm::GlobalVariable *thrownVariable(const llvm::Instruction &I);

} // namespace isozyme

#endif
