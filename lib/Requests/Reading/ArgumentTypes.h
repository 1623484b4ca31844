//===- ArgumentTypes.h - Defaults and conversions by type --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a parameter's type says about its activity, how an operand of a marker
// call becomes a parameter, and how to speak of both to the user.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_REQUESTS_ARGUMENTTYPES_H
#define ISOZYME_LIB_REQUESTS_ARGUMENTTYPES_H

#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// The parameter by which \p F returns its result, if it does.
std::optional<unsigned> structReturnParameter(const llvm::Function &F);

/// Can \p V be passed as a \p To without changing its value?
bool canConvert(const llvm::Value *V, llvm::Type *To);
/// Converts what canConvert has accepted.
llvm::Value *convert(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *To);

/// "'f'", demangled.
std::string describeFunction(const llvm::Function &F);
/// "a pointer", "'double'", "a 32-bit integer".
std::string describeType(llvm::Type *T);

} // namespace isozyme

#endif
