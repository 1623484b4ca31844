//===- StrongZero.cpp - Where strong zero needs a guard -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A zero derivative times an infinite coefficient would be nan. The guard
// select(T == 0, 0, ...) prevents that, and this file finds out where it is not
// needed: where the coefficient of T is finite as long as arguments, loads and
// results of the user's own functions are.
//
//   T * cos(X)                 never
//   T / (1 + X * X)            never: the denominator is positive
//   T / (x * x + 0.05)         never: nor can it be smaller (LowerBound)
//   if (X > 0) ... T / X       never, if X cannot be subnormal, as the root of a number
//   select(Y == 0, 0, T / Y)   never: the condition excludes 0
//   T * X1                     where X1 comes from log, a division, pow, ...
//   T / X                      unless X is known not to be zero
//
// Overflow of sums, products and quotients counts as finite: a program that overflows
// has lost its result already.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/StrongZero.h"
#include "LowerBound.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Rules/RuleTable.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownFPClass.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// Is \p V not zero? It may be so small that a quotient by it overflows.
static bool isNotZero(const Value &V, const SimplifyQuery &Q) {
  const auto *I = dyn_cast<Instruction>(&V);
  const Function *F = I ? I->getFunction() : Q.CxtI ? Q.CxtI->getFunction() : nullptr;
  const fltSemantics &Format = V.getType()->getScalarType()->getFltSemantics();
  const DenormalMode Mode = F ? F->getDenormalMode(Format) : DenormalMode::getInvalid();
  return computeKnownFPClass(&V, fcZero | fcSubnormal, Q).isKnownNeverLogicalZero(Mode);
}

bool isNeverZero(const Value &V, const SimplifyQuery &Q) {
  // A subnormal would overflow the quotient.
  if (!V.getType()->isFPOrFPVectorTy())
    return false;
  if (computeKnownFPClass(&V, fcZero | fcSubnormal, Q).isKnownNever(fcZero | fcSubnormal))
    return true;
  // The root of the least of all numbers is far from it.
  const Value *Square;
  if (match(&V, m_Sqrt(m_Value(Square))) && isNotZero(*Square, Q))
    return true;
  // A square of rounded bounds may be a little less; nobody adds the least of all numbers.
  const fltSemantics &Format = V.getType()->getScalarType()->getFltSemantics();
  double Least = std::ldexp(1.0, std::max(APFloat::semanticsMinExponent(Format), -1022) + 2);
  auto isLarge = [&](std::optional<double> Bound) { return Bound && *Bound >= Least; };
  return isLarge(lowerBound(V, Q)) || isLarge(distanceFromZero(V, Q));
}

namespace {

bool promisesFinite(const Instruction &I) {
  const auto *FP = dyn_cast<FPMathOperator>(&I);
  return FP && FP->hasNoNaNs() && FP->hasNoInfs();
}

bool isKnownNotNegative(const Value *V, const SimplifyQuery &Q) {
  return computeKnownFPClass(V, fcNegative, Q).cannotBeOrderedLessThanZero();
}

/// Looks at where values come from: may they be inf or nan though every
/// argument and load is finite?
class ProducerSearch {
public:
  explicit ProducerSearch(const SimplifyQuery &Q) : Q(Q) {}

  bool mayBeNonFinite(const Value *V) {
    if (const auto *C = dyn_cast<ConstantFP>(V))
      return !C->getValueAPF().isFinite();
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !I->getType()->isFPOrFPVectorTy() || !Seen.insert(I).second)
      return false;
    if (promisesFinite(*I))
      return false;
    if (Seen.size() > MostSeen)
      return true;
    if (isa<PHINode, SelectInst, FreezeInst, ShuffleVectorInst, InsertElementInst,
            ExtractElementInst>(I))
      return anyOperand(*I);
    const Op Id = mathOpOf(*I);
    // Loads, calls of the user's functions, conversions from integers.
    if (Id == Op::Opaque)
      return false;
    return makesNonFinite(*I, Id) || anyOperand(*I);
  }

private:
  /// Each operation asks: that must not take longer where the function is long.
  static constexpr unsigned MostSeen = 64;

  bool anyOperand(const Instruction &I) {
    return any_of(I.operands(), [&](const Use &U) {
      return U->getType()->isFPOrFPVectorTy() && mayBeNonFinite(U);
    });
  }

  /// Can this operation itself turn finite operands into inf or nan?
  bool makesNonFinite(const Instruction &I, Op Id) const {
    if (opInfo(Id).Finite == Finiteness::Total)
      return false;
    switch (Id) {
    case Op::Sqrt:
      return !isKnownNotNegative(I.getOperand(0), Q);
    case Op::FDiv:
      return !isNotZero(*I.getOperand(1), Q) && !isNeverZero(*I.getOperand(1), Q);
    case Op::Exp:
    case Op::Exp2:
      // exp(-x*x) cannot overflow.
      return !computeKnownFPClass(I.getOperand(0), fcPositive, Q).cannotBeOrderedGreaterThanZero();
    default:
      return true;
    }
  }

  const SimplifyQuery &Q;
  SmallPtrSet<const Instruction *, 16> Seen;
};

/// Looks at the rule: is the coefficient of T finite, given what is known of
/// operands and result?
class CoefficientCheck {
public:
  CoefficientCheck(const Expr &E, const Instruction &I, const OpView &V, const SimplifyQuery &Q)
      : E(E), I(I), V(V), Q(Q) {}

  bool isFinite(unsigned N) {
    const Node &Nd = E.Nodes[N];
    // What is known of signs and zeros of real numbers says nothing of complex ones.
    if (isComplexOp(V.Id) && (Nd.K == NodeKind::Div || Nd.K == NodeKind::Call))
      return false;
    switch (Nd.K) {
    case NodeKind::T:
    case NodeKind::Const:
    case NodeKind::Unknown:
    case NodeKind::Less:
    case NodeKind::Equal:
    case NodeKind::NotEqual:
    case NodeKind::Or:
    case NodeKind::ToFloat:
    case NodeKind::Offset:
      return true;
    case NodeKind::Arg: {
      const Value *Operand = V.Operands[static_cast<unsigned>(Nd.Value)];
      return !ProducerSearch(Q).mayBeNonFinite(Operand);
    }
    case NodeKind::Result:
      return !ProducerSearch(Q).mayBeNonFinite(&I);
    case NodeKind::Neg:
    case NodeKind::Convert:
      return isFinite(Nd.A);
    case NodeKind::Add:
    case NodeKind::Sub:
    case NodeKind::Mul:
      return isFinite(Nd.A) && isFinite(Nd.B);
    case NodeKind::Div:
      return isFinite(Nd.A) && isFinite(Nd.B) && (isNonZero(Nd.B) || isExactQuotient(Nd));
    case NodeKind::Select:
      return isFiniteSelect(Nd);
    case NodeKind::Call:
      return isFiniteCall(Nd);
    }
    llvm_unreachable("unknown node");
  }

private:
  /// `T / X` is zero where T is, however small X is; `T * (1 / X)` need not be.
  bool isExactQuotient(const Node &Nd) const {
    const Node &Above = E.Nodes[Nd.A], &Below = E.Nodes[Nd.B];
    return Above.K == NodeKind::T && Below.K == NodeKind::Arg &&
           isNotZero(*V.Operands[static_cast<unsigned>(Below.Value)], Q);
  }

  /// select(a == 0, b, c): in c, a is not zero.
  bool isFiniteSelect(const Node &Nd) {
    if (!isFinite(Nd.B))
      return false;
    const Node &If = E.Nodes[Nd.A];
    if (If.K != NodeKind::Equal || E.Nodes[If.B].K != NodeKind::Const || E.Nodes[If.B].Value != 0)
      return isFinite(Nd.C);
    NonZero |= 1u << If.A;
    const bool Finite = isFinite(Nd.C);
    NonZero &= ~(1u << If.A);
    return Finite;
  }

  bool isFiniteCall(const Node &Nd) {
    if (!isFinite(Nd.A) || (Nd.NumChildren > 1 && !isFinite(Nd.B)))
      return false;
    if (opInfo(Nd.Fn).Finite == Finiteness::Total)
      return true;
    if (Nd.Fn == Op::Sqrt)
      return isNotNegative(Nd.A);
    // exp(-(x * x)) cannot overflow.
    return Nd.Fn == Op::Exp && E.Nodes[Nd.A].K == NodeKind::Neg && isNotNegative(E.Nodes[Nd.A].A);
  }

  bool isNonZero(unsigned N) {
    if (NonZero & (1u << N))
      return true;
    const Node &Nd = E.Nodes[N];
    switch (Nd.K) {
    case NodeKind::Const:
      return Nd.Value != 0;
    case NodeKind::Arg:
      return isNeverZero(*V.Operands[static_cast<unsigned>(Nd.Value)], Q);
    case NodeKind::Neg:
      return isNonZero(Nd.A);
    case NodeKind::Mul:
      return isNonZero(Nd.A) && isNonZero(Nd.B);
    case NodeKind::Add:
      return isNotNegative(Nd.A) && isNotNegative(Nd.B) && (isNonZero(Nd.A) || isNonZero(Nd.B));
    case NodeKind::Call:
      return Nd.Fn == Op::Sqrt && isNonZero(Nd.A);
    default:
      return false;
    }
  }

  bool isNotNegative(unsigned N) {
    const Node &Nd = E.Nodes[N];
    switch (Nd.K) {
    case NodeKind::Const:
      return Nd.Value >= 0;
    case NodeKind::Arg:
      return isKnownNotNegative(V.Operands[static_cast<unsigned>(Nd.Value)], Q);
    case NodeKind::Mul:
      return Nd.A == Nd.B || (isNotNegative(Nd.A) && isNotNegative(Nd.B));
    case NodeKind::Add:
      return isNotNegative(Nd.A) && isNotNegative(Nd.B);
    case NodeKind::Call:
      return Nd.Fn == Op::Sqrt || Nd.Fn == Op::Exp;
    default:
      return false;
    }
  }

  const Expr &E;
  const Instruction &I;
  const OpView &V;
  const SimplifyQuery &Q;
  uint32_t NonZero = 0; ///< Nodes that the enclosing selects exclude from being zero.
};

} // namespace

bool mayInvert(const Instruction &I, const Value &Divisor) {
  return !options().StrongZero || promisesFinite(I) ||
         isNeverZero(Divisor, SimplifyQuery(I.getDataLayout()));
}

bool needsStrongZero(const Instruction &I, const OpView &V, unsigned Wrt, const SimplifyQuery &Q) {
  const Expr *E = partialOf(V, Wrt);
  if (!E || !options().StrongZero)
    return false;
  // The user promised that neither inf nor nan occurs.
  if (promisesFinite(I))
    return false;
  return !CoefficientCheck(*E, I, V, Q).isFinite(E->Size - 1);
}

} // namespace isozyme
