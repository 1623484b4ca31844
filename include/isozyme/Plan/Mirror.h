//===- Mirror.h - Instructions that are repeated on shadows ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_MIRROR_H
#define ISOZYME_PLAN_MIRROR_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace isozyme {

/// Does \p I move addresses or floats, so that the same instruction on shadows and tangents
/// gives the shadow or tangent of its result?
bool isMirrored(const llvm::Instruction &I);
/// Is operand \p Number of such an instruction data (so that the mirrored one takes its
/// shadow) rather than an index, a condition or a size?
bool isMirroredOperand(const llvm::Instruction &I, unsigned Number);

} // namespace isozyme

#endif
