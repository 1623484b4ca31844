//===- ExceptionCalls.cpp - The run time of C++ exceptions ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ExceptionCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

ExceptionCall exceptionCallOf(const Function &F) {
  return StringSwitch<ExceptionCall>(F.getName())
      .Case("__cxa_allocate_exception", ExceptionCall::Allocate)
      .Case("__cxa_free_exception", ExceptionCall::Release)
      .Case("__cxa_throw", ExceptionCall::Throw)
      .Case("__cxa_rethrow", ExceptionCall::Rethrow)
      .Cases({"__cxa_begin_catch", "__cxa_get_exception_ptr"}, ExceptionCall::Enter)
      .Case("__clang_call_terminate", ExceptionCall::EndProgram)
      .StartsWith("__cxa_", ExceptionCall::Other)
      .Default(ExceptionCall::None);
}

ExceptionCall exceptionCallOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? exceptionCallOf(*Callee) : ExceptionCall::None;
}

bool isCxxPersonality(const Value &Routine) {
  return Routine.stripPointerCasts()->getName() == "__gxx_personality_v0";
}

} // namespace isozyme
