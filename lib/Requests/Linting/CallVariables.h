//===- CallVariables.h - Operands of a call without optimisation -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_CALLVARIABLES_H
#define ISOZYME_REQUESTS_CALLVARIABLES_H

#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Values/Origins.h"

namespace isozyme {

/// What is wrong with the numbers that \p Shadow holds, to be put behind "the shadow"; empty if
/// nothing is known against them.
std::string foreignNumbers(const MarkerCall &M, unsigned Param, const llvm::Value *Shadow);
/// What is wrong with the numbers of an argument itself, which the function takes for others.
std::string foreignArgument(const MarkerCall &M, unsigned Param);
/// The value of a variable that nothing has set: a pointer without memory, or a marker that is
/// declared in the function.
bool isOfUnsetVariable(const llvm::Value *V);
/// What an array, or a single variable, is declared to consist of; null if it is a struct, raw
/// bytes, or not in sight.
llvm::Type *declaredElement(const llvm::Value *V);
/// The call, always before \p Call, that releases \p Shadow; null if there is none.
const llvm::CallBase *releasedBefore(const llvm::Value *Shadow, llvm::CallBase &Call);
/// "is 'x', and the argument itself 'dx'"; empty if names say nothing against the order.
std::string exchangedNames(const llvm::Value *Primal, const llvm::Value *Shadow);

/// Is \p V a std::vector, or the data of one, to which nothing is ever added?
bool isEmptyVector(const llvm::Value *V);

/// Warns of memory that a call uses twice, which is probably a mistake: one shadow for two
/// arguments, an argument that the function uses by another name.
void lintSharedMemory(const MarkerCall &M);

} // namespace isozyme

#endif
