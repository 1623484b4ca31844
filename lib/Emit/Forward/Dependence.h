//===- Dependence.h - Masks in the place of tangents -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a request with `Dependence`, the tangent of a float is a mask in its bits (64 in
// a double, 32 in a float): bit i says that the value depends on an input whose mask
// has bit i. Masks move as tangents do; where tangents are added, masks are united.
// What a rule has for an operand says whether the result depends on it at all.
//
//   %y = fmul double %x, %w      %0 = bitcast double %x.tan to i64
//                            ->  %1 = bitcast double %w.tan to i64
//                                %2 = or i64 %0, %1
//                                %y.tan = bitcast i64 %2 to double
//
// A value may depend on more than it says at one point, never on less: both sides of a
// choice by comparison of floats count, and so does a factor that is zero.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_DEPENDENCE_H
#define ISOZYME_LIB_EMIT_DEPENDENCE_H

#include "isozyme/Ops/OpView.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace isozyme {

/// Both masks, of one type (floats, or integers that carry floats).
llvm::Value *uniteMasks(llvm::IRBuilderBase &B, llvm::Value *L, llvm::Value *R);

/// The share of operand \p Wrt, whose masks are \p Incoming, in those of \p I; empty if
/// the rule says that the derivative is zero everywhere.
llvm::SmallVector<llvm::Value *, 4> emitDependence(llvm::IRBuilderBase &B,
                                                   const llvm::Instruction &I, const OpView &V,
                                                   unsigned Wrt,
                                                   llvm::ArrayRef<llvm::Value *> Incoming);

/// The masks of all elements of \p Vector and \p Start: llvm.vector.reduce.fadd.
llvm::Value *uniteElements(llvm::IRBuilderBase &B, llvm::Value *Start, llvm::Value *Vector);

/// What \p I, an addition, does on the shadow at \p Ptr: `atomicrmw or`.
llvm::Value *uniteAtomically(llvm::IRBuilderBase &B, const llvm::AtomicRMWInst &I, llvm::Value *Ptr,
                             llvm::Value *Mask);

/// A mask of type \p To with the bits of \p Mask, a float type or vector of its shape. A
/// narrower type that lacks room for a bit has all of its own instead.
llvm::Value *convertMask(llvm::IRBuilderBase &B, llvm::Value *Mask, llvm::Type *To);

} // namespace isozyme

#endif
