//===- SourceNames.h - What the user calls a value ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_SOURCENAMES_H
#define ISOZYME_PREPARE_SOURCENAMES_H

namespace llvm {
class DILocalVariable;
class Function;
class Value;
} // namespace llvm

namespace isozyme {

/// The variable of the source that \p V is the value, or the memory, of; null if debug
/// information tells of none.
const llvm::DILocalVariable *sourceVariableOf(const llvm::Value *V);

/// Gives values without a name that of their variable.
void nameAfterVariables(llvm::Function &F);

} // namespace isozyme

#endif
