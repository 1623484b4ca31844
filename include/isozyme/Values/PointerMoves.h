//===- PointerMoves.h - Pointers that are nothing but moved -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A union of an address and a number is a pointer to LLVM where the address is its first
// member, in memory and where it is passed or returned. A pointer that is moved about and
// used for nothing else may thus be the bits of a float.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_POINTERMOVES_H
#define ISOZYME_VALUES_POINTERMOVES_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Argument;
class Function;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace isozyme {

/// Does \p F, or what it hands \p A on to, only store \p A, and nothing say that it is an address?
bool isMovedParameter(const llvm::Argument &A);
/// Is member \p Number of what \p F returns, or its result itself, only read from memory?
bool isMovedResult(const llvm::Function &F, unsigned Number);

/// Does \p I load or store a double as a member of a union, by its tag or the type of its address?
/// Such a union is a double to LLVM where one is its first member, whatever it holds.
bool isUnionMember(const llvm::Instruction &I);
void markUnionMember(llvm::LoadInst &Load);

/// The member \p Number of the aggregate \p V, or \p V itself; null if it is not known.
const llvm::Value *memberOf(const llvm::Value *V, unsigned Number);

/// Is \p V null, undefined, or a number that is made a pointer?
bool isBitConstant(const llvm::Value *V);
/// Is it said that what \p I, which loads or stores, accesses is an address?
bool saysPointer(const llvm::Instruction &I);

/// Does it even say to what type it points, which is not `void` and not `char`?
bool saysPointee(const llvm::Instruction &I);
/// Notes in \p F, which is as the front end has made it, what is declared as a pointer.
/// Simplified code has forgotten the records.
void markDeclaredPointers(llvm::Function &F);

/// The pointers of \p F, and variables for one, that are only moved.
llvm::DenseSet<const llvm::Value *> movedPointers(const llvm::Function &F);

} // namespace isozyme

#endif
