//===- SourceNames.h - What the user calls a value ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_SOURCENAMES_H
#define ISOZYME_PREPARE_SOURCENAMES_H

#include <cstdint>
#include <optional>

namespace llvm {
class DILocalVariable;
class Function;
class Value;
} // namespace llvm

namespace isozyme {

/// The variable of the source that \p V is the value, or the memory, of; null if debug
/// information tells of none.
const llvm::DILocalVariable *sourceVariableOf(const llvm::Value *V);
/// The class that a method which was inlined says that there is at the address \p V, if it has more
/// than \p Offset bytes: what a pointer to a base class leads to. Null if there is none.
const llvm::DIType *derivedClassAt(const llvm::Value *V, uint64_t Offset);

/// Is \p V called so only in a function that was inlined and got it as an argument?
bool isNamedByCallee(const llvm::Value *V);

/// A member or an element of a variable, which the optimiser has taken into a register.
struct VariablePart {
  const llvm::DILocalVariable *Variable;
  uint64_t Offset, Size; ///< In bytes.
};

/// What part of a variable \p V is the value of, if that tells more than the variable whose whole
/// value it is, such as a parameter of an inlined function.
std::optional<VariablePart> variablePartOf(const llvm::Value *V);

/// Gives values without a name that of their variable.
void nameAfterVariables(llvm::Function &F);

} // namespace isozyme

#endif
