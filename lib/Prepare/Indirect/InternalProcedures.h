//===- InternalProcedures.h - Procedures with variables, passed --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_INTERNALPROCEDURES_H
#define ISOZYME_LIB_PREPARE_INTERNALPROCEDURES_H

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// Does \p F make code on the stack, to pass internal procedures on?
bool passesInternalProcedures(const llvm::Function &F);
/// Calls forms of the functions that are made for the one procedure, where these only call it, or
/// hand it on to such. Removes the code on the stack where nothing else is done with it.
void lowerInternalProcedures(llvm::Function &F);

} // namespace isozyme

#endif
