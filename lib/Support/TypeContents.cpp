//===- TypeContents.cpp - What an LLVM type is made of ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks through structs and arrays.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/TypeContents.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace isozyme {

bool isFloatLike(const Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), isFloatLike);
  if (auto *A = dyn_cast<ArrayType>(T))
    return isFloatLike(A->getElementType());
  return T->isFPOrFPVectorTy();
}

bool containsPointer(const Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), containsPointer);
  if (auto *A = dyn_cast<ArrayType>(T))
    return containsPointer(A->getElementType());
  return T->isPtrOrPtrVectorTy();
}

} // namespace isozyme
