//===- HiddenFloats.h - Integers that are passed for floats ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_HIDDENFLOATS_H
#define ISOZYME_LIB_PREPARE_HIDDENFLOATS_H

namespace llvm {
class Argument;
class Function;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace isozyme {

/// What an integer holds.
enum class HiddenFloat {
  None,   ///< Nothing that is known to be a float.
  Whole,  ///< The bits of a float of its size, on some ways at least.
  InHalf, ///< The lower or upper half, or both, are the bits of a float.
};
HiddenFloat hiddenFloat(const llvm::Argument &A);
/// Member \p Number of the structure that \p F returns, or the integer that it returns.
HiddenFloat hiddenFloatInResult(const llvm::Function &F, unsigned Number);

/// Makes the access to an integer one to its lower and one to its upper half, and lets
/// what uses or makes a half use or make that.
void splitIntoHalves(llvm::StoreInst &S);
void splitIntoHalves(llvm::LoadInst &L);

} // namespace isozyme

#endif
