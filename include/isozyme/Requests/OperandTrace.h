//===- OperandTrace.h - What an operand of a marker call stands for -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers which function, marker or number an operand is, through everything
// that a compiler may put in between: casts, aliases, local variables written
// once (-O0), constant tables, and calls that return a known value.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_OPERANDTRACE_H
#define ISOZYME_REQUESTS_OPERANDTRACE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Constant;
class ConstantInt;
class Function;
class GlobalVariable;
class Value;
} // namespace llvm

namespace isozyme {

/// The function that \p V certainly is, or null.
llvm::Function *tracedFunction(llvm::Value *V);
/// The function or constant variable that \p V certainly is the address of, or null.
llvm::Constant *tracedConstant(llvm::Value *V);
/// The number that \p V certainly is (or points to, as in Fortran), or null.
const llvm::ConstantInt *tracedInteger(llvm::Value *V);
/// The name of the enzyme_ variable or metadata that \p V is; empty for a value.
llvm::StringRef tracedMarker(llvm::Value *V);

/// A variable that nothing writes: declared constant, or internal and only loaded.
bool isNeverWritten(const llvm::GlobalVariable &G);

/// The entry point that \p Call calls (through constant casts), or null.
llvm::Function *calledEntryPoint(const llvm::CallBase &Call);
/// The number of the operand that says which function to differentiate: the
/// first one behind the buffer for the call's own result.
unsigned functionOperandNumber(const llvm::CallBase &Call);

} // namespace isozyme

#endif
