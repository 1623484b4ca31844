//===- RuleInterpreterComplex.cpp - Complex arithmetic inside rules --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of functions of complex numbers are read in complex arithmetic, on vectors
// of two. A real constant in a sum leaves the imaginary part alone, with its sign: that
// sign says on which side of a branch cut a number lies.
//
//===----------------------------------------------------------------------===//
#include "RuleInterpreterParts.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace isozyme {

namespace {

struct Parts {
  Value *Re, *Im;
};

Parts partsOf(IRBuilderBase &B, Value *V) {
  return {B.CreateExtractElement(V, uint64_t(0)), B.CreateExtractElement(V, uint64_t(1))};
}

Value *pairOf(IRBuilderBase &B, Type *T, Parts P) {
  Value *V = B.CreateInsertElement(PoisonValue::get(T), P.Re, uint64_t(0));
  return B.CreateInsertElement(V, P.Im, uint64_t(1));
}

/// (a + ib)(c + id) = ac - bd + i(ad + bc)
Value *multiply(IRBuilderBase &B, Value *L, Value *R) {
  Parts P = partsOf(B, L), Q = partsOf(B, R);
  Value *Re = B.CreateFSub(B.CreateFMul(P.Re, Q.Re), B.CreateFMul(P.Im, Q.Im));
  Value *Im = B.CreateFAdd(B.CreateFMul(P.Re, Q.Im), B.CreateFMul(P.Im, Q.Re));
  return pairOf(B, L->getType(), {Re, Im});
}

/// The divisor is scaled first, so that its square neither overflows nor vanishes:
///   m = max(|c|, |d|), c' = c / m, d' = d / m
///   (a + ib) / (c + id) = (a + ib)(c' - id') / (c c' + d d')
Value *divide(IRBuilderBase &B, Value *L, Value *R) {
  Parts P = partsOf(B, L), Q = partsOf(B, R);
  Value *AbsRe = B.CreateUnaryIntrinsic(Intrinsic::fabs, Q.Re);
  Value *AbsIm = B.CreateUnaryIntrinsic(Intrinsic::fabs, Q.Im);
  Value *Scale = B.CreateSelect(B.CreateFCmpOLT(AbsRe, AbsIm), AbsIm, AbsRe);
  Value *C = B.CreateFDiv(Q.Re, Scale), *D = B.CreateFDiv(Q.Im, Scale);
  Value *Norm = B.CreateFAdd(B.CreateFMul(Q.Re, C), B.CreateFMul(Q.Im, D));
  Value *Re = B.CreateFAdd(B.CreateFMul(P.Re, C), B.CreateFMul(P.Im, D));
  Value *Im = B.CreateFSub(B.CreateFMul(P.Im, C), B.CreateFMul(P.Re, D));
  return pairOf(B, L->getType(), {B.CreateFDiv(Re, Norm), B.CreateFDiv(Im, Norm)});
}

Value *equal(IRBuilderBase &B, Value *L, Value *R) {
  Parts P = partsOf(B, L), Q = partsOf(B, R);
  return B.CreateAnd(B.CreateFCmpOEQ(P.Re, Q.Re), B.CreateFCmpOEQ(P.Im, Q.Im));
}

} // namespace

Constant *complexConstant(Type *T, const Node &Const, NodeKind Within) {
  Type *Float = cast<VectorType>(T)->getElementType();
  Constant *Part = Const.Digits ? ConstantFP::get(Float, StringRef(Const.Digits))
                                : ConstantFP::get(Float, Const.Value);
  const bool InSum = Within == NodeKind::Add || Within == NodeKind::Sub;
  // x + (-0.0) is x, and -x + (-0.0) is -x, for zeros of either sign.
  Constant *Rest = InSum ? ConstantFP::getNegativeZero(Float) : ConstantFP::getZero(Float);
  return Const.Imaginary ? ConstantVector::get({Rest, Part}) : ConstantVector::get({Part, Rest});
}

Value *emitComplexOperator(IRBuilderBase &B, NodeKind K, Value *L, Value *R) {
  switch (K) {
  case NodeKind::Add:
    return B.CreateFAdd(L, R);
  case NodeKind::Sub:
    // c - x = -x + c, and x - c = x + -c: the constant's -0.0 must be added.
    if (isa<Constant>(L))
      return B.CreateFAdd(B.CreateFNeg(R), L);
    if (auto *C = dyn_cast<Constant>(R)) {
      auto Negate = [&](Value *Part) {
        return match(Part, PatternMatch::m_NegZeroFP()) ? Part : B.CreateFNeg(Part);
      };
      Parts P = partsOf(B, C);
      return B.CreateFAdd(L, pairOf(B, C->getType(), {Negate(P.Re), Negate(P.Im)}));
    }
    return B.CreateFSub(L, R);
  case NodeKind::Mul:
    return multiply(B, L, R);
  case NodeKind::Div:
    return divide(B, L, R);
  case NodeKind::Equal:
    return equal(B, L, R);
  default:
    llvm_unreachable("no operator of complex numbers");
  }
}

Value *conjugate(IRBuilderBase &B, Value *V) {
  Parts P = partsOf(B, V);
  return B.CreateInsertElement(V, B.CreateFNeg(P.Im), uint64_t(1));
}

} // namespace isozyme
