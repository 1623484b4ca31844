//===- RuleInterpreter.h - Rules become instructions -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_RULEINTERPRETER_H
#define ISOZYME_EMIT_RULEINTERPRETER_H

#include "isozyme/Rules/PartialNeeds.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

/// What a rule may read. Operand: number in OpView::Operands; ResultValue: the
/// result of the operation itself.
constexpr unsigned ResultValue = ~0u;
using RuleLookup = llvm::function_ref<llvm::Value *(unsigned Operand)>;
/// What a call of the rule comes to, if the program has computed it; null if not.
using RuleCallLookup = llvm::function_ref<llvm::Value *(RuleCall Call)>;

/// A tangent of the operand comes in, or an adjoint of the result.
enum class RuleMode : uint8_t { Forward, Reverse };

/// Emits the linear expression of operand \p Wrt of the elementwise operation
/// \p V (the view of \p I) with T := Incoming[lane], one value per lane. For scalar
/// operations, one vector with an element per lane does as well. Nodes without T are
/// emitted once. Takes fast-math flags and the debug location from \p I, and
/// math functions from the family of \p I. \p Guarded: zero derivatives stay zero, whatever their
/// coefficient (strong zero).
llvm::SmallVector<llvm::Value *, 4> emitPartial(llvm::IRBuilderBase &B, const llvm::Instruction &I,
                                                const OpView &V, unsigned Wrt,
                                                llvm::ArrayRef<llvm::Value *> Incoming,
                                                RuleMode Mode, RuleLookup Lookup,
                                                RuleCallLookup Computed, bool Guarded);

/// Flags of a sum of adjoints, or of a product that a derivative is a factor of. Their order means
/// nothing, and a product may be fused with the addition (docs/decisions/signed-zeros.md);
/// -isozyme-adjoint-order=source keeps both as they are. \p Flags: of the operation itself.
llvm::FastMathFlags withFreeOrder(llvm::FastMathFlags Flags);

} // namespace isozyme

#endif
