//===- MarkRoundings.cpp - Rounding by a large constant --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %a = fadd double %x, 0x1.8p52          %a = fadd double %x, 0x1.8p52, !enzyme_inactive
//   %r = fsub double %a, 0x1.8p52
//
// The sum has no bits for the fraction of x: r is x rounded to a multiple of a power of
// two, a staircase, whose derivative is that of rint. Nobody adds and subtracts the same
// constant for another reason. Mathematical libraries reduce arguments in this way.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// 2^k or 1.5 * 2^k, and so large that half the fraction is lost at least.
static bool isShifter(const APFloat &C) {
  if (!C.isFiniteNonZero() || &C.getSemantics() == &APFloat::PPCDoubleDouble())
    return false;
  int Exponent = ilogb(C);
  int Fraction = int(APFloat::semanticsPrecision(C.getSemantics())) - 1;
  if (Exponent < Fraction / 2)
    return false;
  APFloat Scaled = scalbn(abs(C), -Exponent, APFloat::rmNearestTiesToEven);
  return Scaled.isExactlyValue(1.0) || Scaled.isExactlyValue(1.5);
}

/// The constant that \p I adds to something that varies, or takes that from; null if none.
static const APFloat *addend(const Instruction &I) {
  const APFloat *C;
  if (match(&I, m_c_FAdd(m_Value(), m_APFloat(C))) || match(&I, m_FSub(m_Value(), m_APFloat(C))) ||
      match(&I, m_FSub(m_APFloat(C), m_Value())))
    return C;
  auto *Fma = dyn_cast<IntrinsicInst>(&I);
  if (Fma &&
      (Fma->getIntrinsicID() == Intrinsic::fma || Fma->getIntrinsicID() == Intrinsic::fmuladd) &&
      match(Fma->getArgOperand(2), m_APFloat(C)))
    return C;
  return nullptr;
}

/// Does \p I subtract what \p Sum has added?
static bool takesBack(const Instruction &Sum, const APFloat &Added, const Instruction &I) {
  const APFloat *C;
  bool Subtracted = match(&Sum, m_FSub(m_Value(), m_APFloat(C)));
  if (match(&I, m_FSub(m_Specific(&Sum), m_APFloat(C))))
    return !Subtracted && C->bitwiseIsEqual(Added);
  if (!match(&I, m_c_FAdd(m_Specific(&Sum), m_APFloat(C))))
    return false;
  return C->bitwiseIsEqual(Subtracted ? Added : neg(Added));
}

bool isSumThatRounds(const Instruction &Sum) {
  const APFloat *C = addend(Sum);
  if (!C || !isShifter(*C))
    return false;
  auto TakesBack = [&](const User *U) { return takesBack(Sum, *C, *cast<Instruction>(U)); };
  // Used in another way as well, it is a sum like any other. Its bits are an integer.
  return any_of(Sum.users(), TakesBack) && all_of(Sum.users(), [&](const User *U) {
           return TakesBack(U) || (isa<BitCastInst>(U) && U->getType()->isIntOrIntVectorTy());
         });
}

void markRoundings(Function &F) {
  for (Instruction &Sum : instructions(F))
    if (isSumThatRounds(Sum))
      markInactive(Sum);
}

} // namespace isozyme
