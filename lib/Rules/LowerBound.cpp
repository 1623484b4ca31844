//===- LowerBound.cpp - How small a number may get ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM knows which signs a float may have. That a sum of squares and of a constant is no less
// than the constant takes numbers; so does what a branch compared with a number. Rounding is
// monotonic: what is computed of larger operands is no smaller.
//
//===----------------------------------------------------------------------===//
#include "LowerBound.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantFPRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownFPClass.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// Sums of squares are not longer.
constexpr unsigned MostDepth = 8;

static std::optional<double> boundOf(const Value &V, const SimplifyQuery &Q, unsigned Depth);

static std::optional<double> productOf(const Value &A, const Value &B, const SimplifyQuery &Q,
                                       unsigned Depth) {
  std::optional<double> One = boundOf(A, Q, Depth), Other = &A == &B ? One : boundOf(B, Q, Depth);
  if (One && Other)
    return *One * *Other;
  return &A == &B ? std::optional(0.0) : std::nullopt;
}

static std::optional<double> sumOf(std::optional<double> A, std::optional<double> B) {
  if (!A || !B)
    return std::nullopt;
  return *A + *B;
}

static std::optional<double> boundOfOperation(const Instruction &I, const SimplifyQuery &Q,
                                              unsigned Depth) {
  auto operand = [&](unsigned N) { return boundOf(*I.getOperand(N), Q, Depth); };
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return productOf(*I.getOperand(0), *I.getOperand(1), Q, Depth);
  case Instruction::FAdd:
    return sumOf(operand(0), operand(1));
  case Instruction::Select:
    if (auto A = operand(1), B = operand(2); A && B)
      return std::min(*A, *B);
    return std::nullopt;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return sumOf(productOf(*I.getOperand(0), *I.getOperand(1), Q, Depth), operand(2));
  case Intrinsic::sqrt:
    if (auto A = operand(0))
      return std::sqrt(*A);
    return 0;
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
    if (auto A = operand(0), B = operand(1); A || B)
      return std::max(A.value_or(0), B.value_or(0));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static std::optional<double> asDouble(APFloat Number) {
  bool Inexact;
  Number.convert(APFloat::IEEEdouble(), APFloat::rmTowardZero, &Inexact);
  if (!Number.isFinite())
    return std::nullopt;
  return Number.convertToDouble();
}

static std::optional<double> larger(std::optional<double> A, std::optional<double> B) {
  return A && B ? std::max(*A, *B) : A ? A : B;
}

/// What \p Compare, which has the value \p Holds, says of the size of \p V, or of its distance
/// from zero.
static std::optional<double> boundOfCompare(const FCmpInst &Compare, bool Holds, const Value &V,
                                            bool OfDistance) {
  FCmpInst::Predicate Predicate = Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  const Value *Left = Compare.getOperand(0), *Right = Compare.getOperand(1);
  const APFloat *Number;
  if (match(Left, m_APFloat(Number))) {
    std::swap(Left, Right);
    Predicate = FCmpInst::getSwappedPredicate(Predicate);
  }
  const bool IsDistance = match(Left, m_FAbs(m_Specific(&V)));
  if (!match(Right, m_APFloat(Number)) || (Left != &V && !(OfDistance && IsDistance)))
    return std::nullopt;
  ConstantFPRange Region =
      ConstantFPRange::makeAllowedFCmpRegion(Predicate, ConstantFPRange(*Number));
  std::optional<double> Lower = asDouble(Region.getLower()), Upper = asDouble(Region.getUpper());
  if (Lower && *Lower > 0)
    return Lower;
  if (Upper && *Upper < 0 && OfDistance && !IsDistance)
    return -*Upper;
  return std::nullopt;
}

static std::optional<double> boundOfCondition(const Value &Condition, bool Holds, const Value &V,
                                              bool OfDistance) {
  const Value *A, *B;
  if (match(&Condition, m_Not(m_Value(A))))
    return boundOfCondition(*A, !Holds, V, OfDistance);
  if (Holds ? match(&Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(&Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return larger(boundOfCondition(*A, Holds, V, OfDistance),
                  boundOfCondition(*B, Holds, V, OfDistance));
  auto *Compare = dyn_cast<FCmpInst>(&Condition);
  return Compare ? boundOfCompare(*Compare, Holds, V, OfDistance) : std::nullopt;
}

/// What the branches say that lead to where \p Q asks.
static std::optional<double> boundOfBranches(const Value &V, const SimplifyQuery &Q,
                                             bool OfDistance) {
  std::optional<double> Bound;
  if (!Q.DC || !Q.DT || !Q.CxtI)
    return Bound;
  for (BranchInst *Branch : Q.DC->conditionsFor(&V))
    for (bool Holds : {true, false})
      if (Q.DT->dominates(BasicBlockEdge(Branch->getParent(), Branch->getSuccessor(Holds ? 0 : 1)),
                          Q.CxtI->getParent()))
        Bound = larger(Bound, boundOfCondition(*Branch->getCondition(), Holds, V, OfDistance));
  return Bound;
}

static std::optional<double> boundOf(const Value &V, const SimplifyQuery &Q, unsigned Depth) {
  const APFloat *Number;
  if (match(&V, m_APFloat(Number))) {
    std::optional<double> Known = asDouble(*Number);
    return Number->isNegative() ? std::nullopt : Known;
  }
  std::optional<double> Bound = boundOfBranches(V, Q, /*OfDistance=*/false);
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == 0)
    return Bound;
  Bound = larger(Bound, boundOfOperation(*I, Q, Depth - 1));
  if (!Bound && computeKnownFPClass(I, fcNegative, Q).cannotBeOrderedLessThanZero())
    return 0;
  return Bound;
}

std::optional<double> lowerBound(const Value &V, const SimplifyQuery &Q) {
  return boundOf(V, Q, MostDepth);
}

std::optional<double> distanceFromZero(const Value &V, const SimplifyQuery &Q) {
  return boundOfBranches(V, Q, /*OfDistance=*/true);
}

} // namespace isozyme
