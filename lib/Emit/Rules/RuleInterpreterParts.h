//===- RuleInterpreterParts.h - Parts of the rule interpreter ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to RuleInterpreter*.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_RULEINTERPRETERPARTS_H
#define ISOZYME_LIB_EMIT_RULEINTERPRETERPARTS_H

#include "isozyme/Ops/OpView.h"
#include "isozyme/Rules/RuleExpr.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// Emits a call of \p Id on floats of type \p Float (or vectors of them), by the
/// means that \p Like, the operation under differentiation, uses itself.
llvm::Value *emitMathCall(llvm::IRBuilderBase &B, Op Id, llvm::ArrayRef<llvm::Value *> Args,
                          llvm::Type *Float, const OpView &Like);

/// Complex numbers are vectors of two floats. \p Const as one of them, as an operand of \p Within.
llvm::Constant *complexConstant(llvm::Type *T, const Node &Const, NodeKind Within);
/// L op R in complex arithmetic.
llvm::Value *emitComplexOperator(llvm::IRBuilderBase &B, NodeKind K, llvm::Value *L,
                                 llvm::Value *R);
llvm::Value *conjugate(llvm::IRBuilderBase &B, llvm::Value *V);

/// The functions double(double) that compute digamma and trigamma, written into the module
/// at first use.
llvm::Function *digammaFunction(llvm::Module &M);
llvm::Function *trigammaFunction(llvm::Module &M);

} // namespace isozyme

#endif
