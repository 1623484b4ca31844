//===- UnusedFunctions.h - Functions that only each other calls --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_UNUSEDFUNCTIONS_H
#define ISOZYME_SUPPORT_UNUSEDFUNCTIONS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace isozyme {

/// Erases those of \p Functions that nothing but other unused ones of them mentions.
void eraseUnused(llvm::SetVector<llvm::Function *> Functions, llvm::FunctionAnalysisManager &FAM);

} // namespace isozyme

#endif
