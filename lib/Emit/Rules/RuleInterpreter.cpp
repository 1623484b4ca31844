//===- RuleInterpreter.cpp - Rules become instructions ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the expression of one operand and emits an instruction per node: nodes
// without T once, nodes with T once per lane, or once on a vector of all lanes. The
// only place that knows how a rule becomes IR: types, fast-math flags, strong zero.
//
// In: builder, operation, incoming derivatives.  Out: one value per lane.
// Never: chooses what to differentiate or where the values it reads come from.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuleInterpreter.h"
#include "RuleInterpreterParts.h"
#include "isozyme/Rules/RuleTable.h"
#include "isozyme/Rules/StrongZero.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/ZeroGuards.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

namespace {

class PartialEmitter {
public:
  PartialEmitter(IRBuilderBase &B, const Instruction &I, const OpView &V, const Expr &E,
                 ArrayRef<Value *> Incoming, RuleLookup Lookup, RuleCallLookup Computed,
                 bool Guarded)
      : B(B), I(I), V(V), E(E), Incoming(Incoming), Lookup(Lookup), Computed(Computed),
        Guarded(Guarded), LaneType(Incoming.front()->getType()),
        Float(I.getType()->isVectorTy() ? LaneType : LaneType->getScalarType()),
        Complex(isComplexOp(V.Id)), Emitted(E.Size) {}

  SmallVector<Value *, 4> run() {
    for (unsigned N = 0; N < E.Size; ++N)
      emitNode(N);
    SmallVector<Value *, 4> Lanes;
    for (unsigned L = 0; L < Incoming.size(); ++L)
      Lanes.push_back(valueOf(E.Size - 1, L, LaneType));
    return Lanes;
  }

private:
  using LaneValues = SmallVector<Value *, 2>;

  /// The value of a node: its only one, or that of the lane. A constant has no
  /// type of its own and takes the one wanted.
  Value *valueOf(unsigned N, unsigned Lane, Type *Wanted, NodeKind Within = NodeKind::Const) {
    const Node &Nd = E.Nodes[N];
    if (Nd.K == NodeKind::Const && Complex)
      return complexConstant(Float, Nd, Within);
    if (Nd.K != NodeKind::Const) {
      LaneValues &L = Emitted[N];
      // Only now: an operand of a call that the program has computed is not read.
      if (Nd.K == NodeKind::Arg && L.empty())
        L.push_back(operandOf(static_cast<unsigned>(Nd.Value)));
      Value *Own = L.size() == 1 ? L[0] : L[Lane];
      return Wanted == LaneType ? toLanes(Own) : Own;
    }
    if (Wanted->isIntOrIntVectorTy())
      return ConstantInt::getSigned(Wanted, static_cast<int64_t>(Nd.Value));
    if (Nd.Digits)
      return ConstantFP::get(Wanted, StringRef(Nd.Digits));
    return ConstantFP::get(Wanted, Nd.Value);
  }

  /// Where all lanes are one vector, what they have in common becomes each element.
  Value *toLanes(Value *V) {
    if (LaneType == Float || V->getType()->isVectorTy())
      return V;
    return B.CreateVectorSplat(cast<VectorType>(LaneType)->getElementCount(), V);
  }

  bool isPerLane(unsigned N) const { return PerLane & (1u << N); }

  void emitNode(unsigned N) {
    const Node &Nd = E.Nodes[N];
    switch (Nd.K) {
    case NodeKind::Const:
    case NodeKind::Arg:
      return;
    case NodeKind::T:
      Emitted[N].assign(Incoming.begin(), Incoming.end());
      PerLane |= 1u << N;
      return;
    case NodeKind::Result:
      Emitted[N] = {Lookup(ResultValue)};
      return;
    default:
      break;
    }
    const bool HasT = (Nd.NumChildren > 0 && isPerLane(Nd.A)) ||
                      (Nd.NumChildren > 1 && isPerLane(Nd.B)) ||
                      (Nd.NumChildren > 2 && isPerLane(Nd.C));
    PerLane |= HasT ? 1u << N : 0;
    IRBuilderBase::FastMathFlagGuard Restore(B);
    if (HasT)
      allowAnyOrder(Nd);
    if (isScaledByInverse(Nd))
      Inverse = B.CreateFDiv(ConstantFP::get(Float, 1.0), valueOf(Nd.B, 0, Float), "inverse");
    for (unsigned L = 0, Count = HasT ? Incoming.size() : 1; L < Count; ++L)
      Emitted[N].push_back(emitOperator(Nd, L, HasT ? LaneType : Float));
  }

  /// What is divided stays where the rule has it: `T * (X / Y)` may not become `(T * X) / Y`,
  /// which overflows.
  void allowAnyOrder(const Node &Nd) {
    const bool IsSumOrProduct = Nd.K == NodeKind::Add || Nd.K == NodeKind::Sub ||
                                Nd.K == NodeKind::Mul || Nd.K == NodeKind::Neg;
    if (IsSumOrProduct && !Complex)
      B.setFastMathFlags(withFreeOrder(B.getFastMathFlags()));
  }

  /// `T / B` is `T * (1 / B)` where the order is free: all lanes share the division, it need not
  /// wait for T, and a loop in which B stays the same has it outside. It may be in error by one
  /// unit in the last place more. The inverse overflows where B is subnormal, as the partial does.
  bool isScaledByInverse(const Node &Nd) const {
    if (Nd.K != NodeKind::Div || !isPerLane(Nd.A) || isPerLane(Nd.B) || Complex ||
        options().Order != AdjointOrder::Any)
      return false;
    const Node &Divisor = E.Nodes[Nd.B];
    return Guarded || Divisor.K != NodeKind::Arg ||
           mayInvert(I, *V.Operands[static_cast<unsigned>(Divisor.Value)]);
  }

  Value *operandOf(unsigned Number) {
    Value *Operand = V.Operands[Number];
    return isa<Constant>(Operand) ? Operand : Lookup(Number);
  }

  Value *emitOperator(const Node &Nd, unsigned L, Type *Ty) {
    if (Complex && Nd.NumChildren == 2 && Nd.K != NodeKind::Call)
      return emitComplexOperator(B, Nd.K, valueOf(Nd.A, L, Float, Nd.K),
                                 valueOf(Nd.B, L, Float, Nd.K));
    switch (Nd.K) {
    case NodeKind::Add:
      return B.CreateFAdd(valueOf(Nd.A, L, Ty), valueOf(Nd.B, L, Ty));
    case NodeKind::Sub:
      return B.CreateFSub(valueOf(Nd.A, L, Ty), valueOf(Nd.B, L, Ty));
    case NodeKind::Mul:
      return B.CreateFMul(valueOf(Nd.A, L, Ty), valueOf(Nd.B, L, Ty));
    case NodeKind::Div:
      if (isScaledByInverse(Nd))
        return B.CreateFMul(valueOf(Nd.A, L, Ty), Ty == LaneType ? toLanes(Inverse) : Inverse);
      return B.CreateFDiv(valueOf(Nd.A, L, Ty), valueOf(Nd.B, L, Ty));
    case NodeKind::Neg:
      return B.CreateFNeg(valueOf(Nd.A, L, Ty));
    case NodeKind::Less:
    case NodeKind::Equal:
    case NodeKind::NotEqual:
      return emitComparison(Nd, L);
    case NodeKind::Or:
      return B.CreateOr(valueOf(Nd.A, L, nullptr), valueOf(Nd.B, L, nullptr));
    case NodeKind::Select:
      return emitSelect(Nd, L, Ty);
    case NodeKind::Call:
      return emitCall(Nd, L);
    case NodeKind::Offset: {
      Value *Int = valueOf(Nd.A, L, nullptr);
      return B.CreateAdd(Int,
                         ConstantInt::getSigned(Int->getType(), static_cast<int64_t>(Nd.Value)));
    }
    case NodeKind::ToFloat:
      return emitToFloat(valueOf(Nd.A, L, nullptr));
    case NodeKind::Convert:
      return emitConvert(valueOf(Nd.A, L, Ty));
    case NodeKind::T:
    case NodeKind::Arg:
    case NodeKind::Result:
    case NodeKind::Const:
    case NodeKind::Unknown:
      break;
    }
    llvm_unreachable("a leaf is no operator");
  }

  /// x == 0 where x is an operand or the result, and cannot be zero.
  bool isOfNeverZero(const Node &Nd) const {
    const Node &Left = E.Nodes[Nd.A], &Right = E.Nodes[Nd.B];
    if (Nd.K == NodeKind::Less || Right.K != NodeKind::Const || Right.Value != 0 || Complex)
      return false;
    if (Left.K == NodeKind::Result)
      return isNeverZero(I, SimplifyQuery(I.getDataLayout()));
    return Left.K == NodeKind::Arg && isNeverZero(*V.Operands[static_cast<unsigned>(Left.Value)],
                                                  SimplifyQuery(I.getDataLayout()));
  }

  /// One side may be a constant, which takes the type of the other.
  Value *emitComparison(const Node &Nd, unsigned L) {
    const unsigned Typed = E.Nodes[Nd.A].K == NodeKind::Const ? Nd.B : Nd.A;
    Type *Ty = valueOf(Typed, L, Float)->getType();
    if (isOfNeverZero(Nd))
      return B.getInt1(Nd.K == NodeKind::NotEqual);
    Value *LHS = valueOf(Nd.A, L, Ty), *RHS = valueOf(Nd.B, L, Ty);
    const bool IsInt = Ty->isIntOrIntVectorTy();
    switch (Nd.K) {
    case NodeKind::Less:
      return IsInt ? B.CreateICmpSLT(LHS, RHS) : B.CreateFCmpOLT(LHS, RHS);
    case NodeKind::Equal:
      return IsInt ? B.CreateICmpEQ(LHS, RHS) : B.CreateFCmpOEQ(LHS, RHS);
    default:
      return IsInt ? B.CreateICmpNE(LHS, RHS) : B.CreateFCmpUNE(LHS, RHS);
    }
  }

  Value *emitSelect(const Node &Nd, unsigned L, Type *Ty) {
    Value *If = valueOf(Nd.A, L, nullptr);
    Value *Then = valueOf(Nd.B, L, Ty), *Else = valueOf(Nd.C, L, Ty);
    if (const auto *Known = dyn_cast<ConstantInt>(If))
      return Known->isZero() ? Else : Then;
    return B.CreateSelect(If, Then, Else);
  }

  Value *emitCall(const Node &Nd, unsigned L) {
    const Signature Sig = opInfo(Nd.Fn).Sig;
    if (Nd.NumChildren == 1 && E.Nodes[Nd.A].K == NodeKind::Arg)
      if (Value *Known = Computed({Nd.Fn, static_cast<unsigned>(E.Nodes[Nd.A].Value)}))
        return Known;
    SmallVector<Value *, 2> Args;
    for (unsigned A = 0; A < Nd.NumChildren; ++A)
      Args.push_back(valueOf(A ? Nd.B : Nd.A, L, isIntOperand(Sig, A) ? B.getInt32Ty() : Float));
    return emitMathCall(B, Nd.Fn, Args, Float, V);
  }

  /// powi on vectors takes one scalar exponent.
  Value *emitToFloat(Value *Int) {
    auto *Vector = dyn_cast<VectorType>(Float);
    if (Vector && !Int->getType()->isVectorTy())
      return B.CreateVectorSplat(Vector->getElementCount(),
                                 B.CreateSIToFP(Int, Vector->getElementType()));
    return B.CreateSIToFP(Int, Float);
  }

  /// Forward hands in the operand's type and wants the result's, reverse the other way.
  Value *emitConvert(Value *From) {
    Type *Own = From->getType()->getScalarType();
    Type *Target = Own == I.getType()->getScalarType() ? V.Operands[0]->getType() : I.getType();
    return B.CreateFPCast(From, From->getType()->getWithNewType(Target->getScalarType()));
  }

  IRBuilderBase &B;
  const Instruction &I;
  const OpView &V;
  const Expr &E;
  ArrayRef<Value *> Incoming;
  RuleLookup Lookup;
  RuleCallLookup Computed;
  const bool Guarded; ///< What becomes of zero is seen to afterwards.
  Type *LaneType;     ///< Of what contains T: Float, or a vector with an element per lane.
  Type *Float;
  const bool Complex; ///< Floats are vectors of two, and arithmetic is complex.
  SmallVector<LaneValues, Expr::MaxNodes> Emitted;
  uint32_t PerLane = 0;     ///< Nodes that contain T.
  Value *Inverse = nullptr; ///< Of what the node divides by that is being emitted.
};

/// A zero derivative stays zero, whatever the coefficient is:
///   %z = fcmp oeq double %t, 0.0
///   %p.strong = select i1 %z, double 0.0, double %p
/// A complex number is zero if both its parts are. \p Inverted: the same with `une`.
/// Two operands of one instruction get one form each, since on x86 selects that
/// share a comparison of floats become branches, and others do not. Nor may a division
/// be taken for a reason to branch: derivatives that are zero but for rounding make such
/// a branch a matter of chance.
Value *guarded(IRBuilderBase &B, Value *T, Value *Partial, bool Complex, bool Inverted) {
  auto *Zero = Constant::getNullValue(Partial->getType());
  if (const auto *C = dyn_cast<Constant>(T)) {
    if (C->isZeroValue())
      return Zero;
    if (isa<ConstantFP>(C))
      return Partial;
  }
  Constant *ZeroIn = Constant::getNullValue(T->getType());
  auto choose = [&](Value *If, Value *Then, Value *Else) {
    Value *Strong = B.CreateSelect(If, Then, Else, "strong");
    if (auto *Select = dyn_cast<SelectInst>(Strong)) {
      Select->setMetadata(LLVMContext::MD_unpredictable, MDNode::get(B.getContext(), {}));
      markZeroGuard(*Select);
    }
    return Strong;
  };
  if (Inverted && !Complex)
    return choose(B.CreateFCmpUNE(T, ZeroIn, "is.not.zero"), Partial, Zero);
  Value *IsZero = Complex ? emitComplexOperator(B, NodeKind::Equal, T, ZeroIn)
                          : B.CreateFCmpOEQ(T, ZeroIn, "is.zero");
  return choose(IsZero, Zero, Partial);
}

/// A location of another function's scope must not get into this one.
bool fitsHere(const DebugLoc &Loc, const IRBuilderBase &B) {
  if (!Loc || !B.GetInsertBlock() || !B.GetInsertBlock()->getParent())
    return false;
  const DISubprogram *Here = B.GetInsertBlock()->getParent()->getSubprogram();
  return Here && Loc->getInlinedAtScope()->getSubprogram() == Here;
}

} // namespace

FastMathFlags withFreeOrder(FastMathFlags Flags) {
  if (options().Order != AdjointOrder::Any)
    return Flags;
  Flags.setAllowReassoc();
  Flags.setAllowContract();
  Flags.setNoSignedZeros();
  return Flags;
}

SmallVector<Value *, 4> emitPartial(IRBuilderBase &B, const Instruction &I, const OpView &V,
                                    unsigned Wrt, ArrayRef<Value *> Incoming, RuleMode Mode,
                                    RuleLookup Lookup, RuleCallLookup Computed, bool Guarded) {
  const Expr *E = partialOf(V, Wrt);
  assert(E && "the operand carries no derivative");
  if (Incoming.empty())
    return {};
  IRBuilderBase::FastMathFlagGuard RestoreFlags(B);
  if (isa<FPMathOperator>(I))
    B.setFastMathFlags(I.getFastMathFlags());
  const DebugLoc Outer = B.getCurrentDebugLocation();
  if (!Outer && fitsHere(I.getDebugLoc(), B))
    B.SetCurrentDebugLocation(I.getDebugLoc());

  // The transpose of a multiplication by d is one by its conjugate: conj(conj(T) d).
  const bool Complex = isComplexOp(V.Id), Conjugate = Complex && Mode == RuleMode::Reverse;
  SmallVector<Value *, 4> In(Incoming);
  if (Conjugate)
    for (Value *&T : In)
      T = conjugate(B, T);
  SmallVector<Value *, 4> Lanes = PartialEmitter(B, I, V, *E, In, Lookup, Computed, Guarded).run();
  if (Conjugate)
    for (Value *&D : Lanes)
      D = conjugate(B, D);
  if (Guarded)
    for (unsigned L = 0; L < Lanes.size(); ++L)
      Lanes[L] = guarded(B, Incoming[L], Lanes[L], Complex, Wrt % 2);
  B.SetCurrentDebugLocation(Outer);
  return Lanes;
}

} // namespace isozyme
