//===- LowerBound.cpp - How small a number may get ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM knows which signs a float may have. That a sum of squares and of a constant is no less
// than the constant takes numbers. Rounding is monotonic: what is computed of larger operands
// is no smaller.
//
//===----------------------------------------------------------------------===//
#include "LowerBound.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownFPClass.h"
#include <cmath>

using namespace llvm;

namespace isozyme {

/// Sums of squares are not longer.
constexpr unsigned MostDepth = 8;

static std::optional<double> boundOf(const Value &V, unsigned Depth);

static std::optional<double> productOf(const Value &A, const Value &B, unsigned Depth) {
  std::optional<double> One = boundOf(A, Depth), Other = &A == &B ? One : boundOf(B, Depth);
  if (One && Other)
    return *One * *Other;
  return &A == &B ? std::optional(0.0) : std::nullopt;
}

static std::optional<double> sumOf(std::optional<double> A, std::optional<double> B) {
  if (!A || !B)
    return std::nullopt;
  return *A + *B;
}

static std::optional<double> boundOfOperation(const Instruction &I, unsigned Depth) {
  auto operand = [&](unsigned N) { return boundOf(*I.getOperand(N), Depth); };
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return productOf(*I.getOperand(0), *I.getOperand(1), Depth);
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
    return sumOf(productOf(*I.getOperand(0), *I.getOperand(1), Depth), operand(2));
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

static std::optional<double> boundOf(const Value &V, unsigned Depth) {
  const APFloat *Number;
  if (PatternMatch::match(&V, PatternMatch::m_APFloat(Number))) {
    APFloat Double = *Number;
    bool Inexact;
    Double.convert(APFloat::IEEEdouble(), APFloat::rmTowardZero, &Inexact);
    if (!Double.isFinite() || Double.isNegative())
      return std::nullopt;
    return Double.convertToDouble();
  }
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == 0)
    return std::nullopt;
  if (std::optional<double> Bound = boundOfOperation(*I, Depth - 1))
    return Bound;
  if (computeKnownFPClass(I, fcNegative, SimplifyQuery(I->getDataLayout()))
          .cannotBeOrderedLessThanZero())
    return 0;
  return std::nullopt;
}

std::optional<double> lowerBound(const Value &V) { return boundOf(V, MostDepth); }

} // namespace isozyme
