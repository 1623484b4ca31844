//===- CallVariables.h - Operands of a call without optimisation -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_CALLVARIABLES_H
#define ISOZYME_REQUESTS_CALLVARIABLES_H

#include "isozyme/Requests/MarkerCalls.h"

namespace isozyme {

/// The value that a variable without optimisation holds, if it is set once.
const llvm::Value *throughVariable(const llvm::Value *V);

/// Warns of memory that a call uses twice where that is hardly meant: one shadow for two
/// arguments, an argument that the function uses by another name.
void lintSharedMemory(const MarkerCall &M);

} // namespace isozyme

#endif
