//===- DerivativeStub.h - The function that asks for one derivative -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative at run time is that of a function with memory in place of numbers: so
// every active argument has a shadow, and numbers are no special case.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_JIT_DERIVATIVESTUB_H
#define ISOZYME_JIT_DERIVATIVESTUB_H

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace isozyme::jit {

/// Adds a function \p Name to the module of \p F, as isozyme_capi.h describes it.
llvm::Expected<llvm::Function *> addDerivativeStub(llvm::Function &F, llvm::StringRef Name,
                                                   bool Reverse, llvm::StringRef Activities);

} // namespace isozyme::jit

#endif
