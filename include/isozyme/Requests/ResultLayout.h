//===- ResultLayout.h - How a derivative's result reaches the user -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user declares what a marker call returns; the ABI bends it (a struct of
// two floats is <2 x float>, two doubles and an int come back in memory). A
// derivative returns a plain struct. Both are compared by the scalars they hold.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_RESULTLAYOUT_H
#define ISOZYME_REQUESTS_RESULTLAYOUT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// One scalar inside a type, and where it lies.
struct Leaf {
  llvm::Type *Ty;
  uint64_t Offset;
  llvm::SmallVector<unsigned, 4> Path; ///< Aggregate indices; a vector's lane comes last.
};

/// The scalars of \p T in the order of their addresses.
llvm::SmallVector<Leaf, 8> leavesOf(llvm::Type *T, const llvm::DataLayout &DL);

/// The scalars of \p V, and a \p T made of scalars: the inverse of it.
llvm::SmallVector<llvm::Value *, 8> scalarsOf(llvm::IRBuilderBase &B, llvm::Value *V);
llvm::Value *fromScalars(llvm::IRBuilderBase &B, llvm::Type *T,
                         llvm::ArrayRef<llvm::Value *> Scalars);

/// How a derivative's result becomes the declared one.
enum class ResultMatch {
  None,     ///< It cannot.
  ByLeaf,   ///< The same scalars in the same order.
  ByMemory, ///< The same bytes, where the ABI has merged scalars into an integer.
  Bytes,    ///< The declared type is at least as large, and takes the bytes as they are.
  First,    ///< The first member is what is declared.
};
/// ByLeaf, ByMemory or None.
ResultMatch matchResult(llvm::Type *Derivative, llvm::Type *Declared, const llvm::DataLayout &DL);

/// \p V (the derivative's result) as a value of type \p Declared, to which \p Match is
/// the way.
llvm::Value *convertResult(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *Declared,
                           ResultMatch Match);
/// Stores \p V into \p Buffer, which holds a \p Declared.
void storeResult(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Value *Buffer, llvm::Type *Declared,
                 ResultMatch Match);

/// "a struct of 'double' and 2 x 'float'".
std::string describeLeaves(llvm::Type *T, const llvm::DataLayout &DL);

/// \p Pointer advanced by a number of bytes.
llvm::Value *bytesBehind(llvm::IRBuilderBase &B, llvm::Value *Pointer, uint64_t Offset);
/// A variable of the function that \p B writes into, usable at its insertion point.
llvm::Value *createTemporary(llvm::IRBuilderBase &B, llvm::Type *T, llvm::MaybeAlign Align,
                             const llvm::Twine &Name);

} // namespace isozyme

#endif
