//===- CarriedFloats.h - Floats that a wider float carries ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two floats may be moved as one double, or four halves. Some of the bits of a double that is
// computed have no meaning as a float.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_CARRIEDFLOATS_H
#define ISOZYME_VALUES_CARRIEDFLOATS_H

#include <utility>

namespace llvm {
class BitCastInst;
class Instruction;
class Type;
} // namespace llvm

namespace isozyme {

/// Does \p I choose a float, or put together and take apart vectors of them, at known places?
bool isMoveOfFloats(const llvm::Instruction &I);

/// The wider and the narrower type of float, if \p Cast reads floats from the bits of a wider one,
/// or makes one of theirs; two nulls otherwise.
std::pair<llvm::Type *, llvm::Type *> carriedBy(const llvm::BitCastInst &Cast);

} // namespace isozyme

#endif
