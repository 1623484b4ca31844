//===- ExceptionCalls.h - The run time of C++ exceptions ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the Itanium C++ ABI (itanium-cxx-abi.github.io/cxx-abi/abi-eh.html), by name.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_EXCEPTIONCALLS_H
#define ISOZYME_OPS_EXCEPTIONCALLS_H

#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace isozyme {

enum class ExceptionCall : uint8_t {
  None,       ///< Not one of them.
  Allocate,   ///< Makes the memory of an object that is to be thrown.
  Release,    ///< Releases it if the object is not thrown after all.
  Throw,      ///< Throws its first operand, an object of the type that the second one is.
  Rethrow,    ///< Throws what is being handled once more.
  Enter,      ///< Begins a handler, or asks what it would begin with. Its operand is what a
              ///< landing pad gives: a header, behind which the object lies.
  EndProgram, ///< Ends the program, with what a landing pad gives.
  Other,
};

ExceptionCall exceptionCallOf(const llvm::Function &F);
/// What \p Call calls, if that is known.
ExceptionCall exceptionCallOf(const llvm::CallBase &Call);

/// Is \p Routine the function that finds handlers in functions of C++?
bool isCxxPersonality(const llvm::Value &Routine);

/// Is \p Call the library's part of a dynamic_cast, from its first operand to its result?
bool isDynamicCast(const llvm::CallBase &Call);

} // namespace isozyme

#endif
