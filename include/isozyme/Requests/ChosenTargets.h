//===- ChosenTargets.h - Which function is asked at run time -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marker call whose function is one of several becomes one call for each, chosen the
// same way when the program runs.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_CHOSENTARGETS_H
#define ISOZYME_REQUESTS_CHOSENTARGETS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallBase;
class Function;
class MDNode;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

/// All functions that \p V may be; none when it may be another one.
llvm::SetVector<llvm::Function *> possibleFunctions(llvm::Value *V);

/// True when there was such a call.
bool splitChosenCalls(llvm::Module &M);
/// What the calls that one call has become have in common; null if \p Call is still itself.
const llvm::MDNode *choiceOf(const llvm::CallBase &Call);

} // namespace isozyme

#endif
