//===- EntryExtent.cpp - What is known before a function runs -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/EntryExtent.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace isozyme {

bool isKnownAtEntry(const Value *V, unsigned Depth) {
  if (isa<Argument, Constant>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 16)
    return false;
  bool IsPlain = isa<ICmpInst, SelectInst, FreezeInst, TruncInst, ZExtInst, SExtInst, PtrToIntInst,
                     PtrToAddrInst>(I) ||
                 isa<MinMaxIntrinsic>(I) ||
                 (isa<BinaryOperator>(I) && !I->isIntDivRem() && I->getType()->isIntegerTy());
  if (auto *B = dyn_cast<BinaryOperator>(I); B && I->isIntDivRem()) {
    auto *By = dyn_cast<ConstantInt>(B->getOperand(1));
    IsPlain = By && !By->isZero() && !By->isMinusOne();
  }
  if (!IsPlain)
    return false;
  unsigned Operands = isa<CallBase>(I) ? cast<CallBase>(I)->arg_size() : I->getNumOperands();
  for (unsigned Operand = 0; Operand < Operands; ++Operand)
    if (!isKnownAtEntry(I->getOperand(Operand), Depth + 1))
      return false;
  return true;
}

bool isKnownAtEntry(const SCEV *S) {
  return !SCEVExprContains(S, [](const SCEV *Part) {
    switch (Part->getSCEVType()) {
    case scConstant:
    case scTruncate:
    case scZeroExtend:
    case scSignExtend:
    case scAddExpr:
    case scMulExpr:
    case scSMaxExpr:
    case scUMaxExpr:
    case scSMinExpr:
    case scUMinExpr:
      return !Part->getType()->isIntegerTy();
    case scPtrToInt: // Of nothing but a value.
      return false;
    case scUDivExpr: {
      auto *By = dyn_cast<SCEVConstant>(cast<SCEVUDivExpr>(Part)->getRHS());
      return !By || By->isZero();
    }
    case scUnknown:
      return !isKnownAtEntry(cast<SCEVUnknown>(Part)->getValue());
    default:
      return true;
    }
  });
}

namespace {

/// The extreme of a formula over loops, from the innermost outwards.
class ExtremeFinder {
public:
  ExtremeFinder(const PreparedFunction &P, SmallVectorImpl<AssumedValue> *Assumed,
                LoopCorner *Corner = nullptr)
      : P(P), SE(P.scalarEvolution()), Assumed(Assumed), Corner(Corner) {}
  /// Over \p L, which may be null, and all loops around it.
  const SCEV *over(const Loop *L, const SCEV *Offset, bool Largest);
  /// The same as \p Extended, an extension of what \p L counts, if nothing overflows; or null.
  const SCEV *widened(const SCEVIntegralCastExpr &Extended, const Loop &L);

private:
  bool assume(const Loop *Around, const SCEV *Value, int64_t Least, int64_t Most);

  const PreparedFunction &P;
  ScalarEvolution &SE;
  SmallVectorImpl<AssumedValue> *Assumed;
  LoopCorner *Corner;
};

/// Counts in 64 bits what a loop counts in fewer and then extends.
class Widener : public SCEVRewriteVisitor<Widener> {
public:
  Widener(ScalarEvolution &SE, ExtremeFinder &Finder, const Loop &L)
      : SCEVRewriteVisitor(SE), Finder(Finder), L(L) {}
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *S) { return visitExtension(S); }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *S) { return visitExtension(S); }

private:
  const SCEV *visitExtension(const SCEVIntegralCastExpr *S) {
    const SCEV *Wide = Finder.widened(*S, L);
    return Wide ? Wide : S;
  }
  ExtremeFinder &Finder;
  const Loop &L;
};

} // namespace

bool ExtremeFinder::assume(const Loop *Around, const SCEV *Value, int64_t Least, int64_t Most) {
  SaveAndRestore<LoopCorner *> OfAnother(Corner, nullptr);
  for (bool Largest : {false, true}) {
    const SCEV *Extreme = over(Around, Value, Largest);
    if (!Extreme)
      return false;
    if (auto *C = dyn_cast<SCEVConstant>(Extreme)) {
      int64_t Known = C->getAPInt().getSExtValue();
      if (Known < Least || Known > Most)
        return false;
      continue;
    }
    AssumedValue Needed{Extreme, Least, Most};
    if (!is_contained(*Assumed, Needed))
      Assumed->push_back(Needed);
  }
  return true;
}

/// What the narrow counter holds is the wide one without its upper bits. Where the wide one is in
/// the range of the narrow type, they are equal; it is there in all iterations if it is in the
/// first and the last, which are too near to each other for 64 bits to overflow in between.
const SCEV *ExtremeFinder::widened(const SCEVIntegralCastExpr &Extended, const Loop &L) {
  constexpr int64_t MostIterations = int64_t(1) << 31;
  auto *Narrow = dyn_cast<SCEVAddRecExpr>(Extended.getOperand());
  Value *Count = P.canonical(&L).LastIV;
  unsigned Bits = SE.getTypeSizeInBits(Extended.getOperand()->getType());
  if (!Assumed || !Narrow || Narrow->getLoop() != &L || !Narrow->isAffine() || !Count ||
      Bits > 32 || !Extended.getType()->isIntegerTy(64))
    return nullptr;
  const SCEV *Last = SE.getSCEV(Count);
  bool IsSigned = isa<SCEVSignExtendExpr>(Extended);
  const SCEV *Start = IsSigned ? SE.getSignExtendExpr(Narrow->getStart(), Extended.getType())
                               : SE.getZeroExtendExpr(Narrow->getStart(), Extended.getType());
  const SCEV *Step = SE.getSignExtendExpr(Narrow->getStepRecurrence(SE), Extended.getType());
  const SCEV *Wide = SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap);
  const SCEV *End = SE.getAddExpr(Start, SE.getMulExpr(Step, Last));
  int64_t Least = IsSigned ? -(int64_t(1) << (Bits - 1)) : 0;
  int64_t Most = (int64_t(1) << (IsSigned ? Bits - 1 : Bits)) - 1;
  const Loop *Around = L.getParentLoop();
  if (!assume(Around, Last, 0, MostIterations) || !assume(Around, Start, Least, Most) ||
      !assume(Around, End, Least, Most))
    return nullptr;
  return Wide;
}

const SCEV *ExtremeFinder::over(const Loop *L, const SCEV *Offset, bool Largest) {
  for (; L; L = L->getParentLoop()) {
    if (SE.isLoopInvariant(Offset, L))
      continue;
    if (Assumed)
      Offset = Widener(SE, *this, *L).visit(Offset);
    auto *Counted = dyn_cast<SCEVAddRecExpr>(Offset);
    Value *Count = P.canonical(L).LastIV;
    if (!Counted || Counted->getLoop() != L || !Counted->isAffine() || !Count)
      return nullptr;
    const SCEV *Step = Counted->getStepRecurrence(SE);
    bool Grows = SE.isKnownNonNegative(Step);
    if (!Grows && !SE.isKnownNonPositive(Step)) {
      if (!Assumed || !assume(L->getParentLoop(), Step, 0, INT64_MAX))
        return nullptr;
      Grows = true;
    }
    if (Corner)
      (*Corner)[L] = Grows == Largest;
    Offset = Grows == Largest ? Counted->evaluateAtIteration(SE.getSCEV(Count), SE)
                              : Counted->getStart();
    if (isa<SCEVCouldNotCompute>(Offset))
      return nullptr;
  }
  return isKnownAtEntry(Offset) ? Offset : nullptr;
}

const SCEV *extremeAtEntry(const PreparedFunction &P, const SCEV *Offset, const Instruction &At,
                           bool Largest, SmallVectorImpl<AssumedValue> *Assumed,
                           LoopCorner *Corner) {
  const Loop *L = P.loops().getLoopFor(At.getParent());
  return ExtremeFinder(P, Assumed, Corner).over(L, Offset, Largest);
}

void addExtreme(ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Formulas, const SCEV *S,
                bool Largest) {
  for (const SCEV *&Old : Formulas) {
    auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(S, Old));
    if (!Distance)
      continue;
    if (Distance->getAPInt().isNegative() != Largest)
      Old = S;
    return;
  }
  Formulas.push_back(S);
}

const SCEV *valueAtCorner(const PreparedFunction &P, const SCEV *S, const Loop *L,
                          const LoopCorner &Corner) {
  ScalarEvolution &SE = P.scalarEvolution();
  for (; L; L = L->getParentLoop()) {
    if (SE.isLoopInvariant(S, L))
      continue;
    Value *Count = P.canonical(L).LastIV;
    if (!Count)
      return nullptr;
    LoopToScevMapT Iteration;
    Iteration[L] = Corner.lookup(L) ? SE.getSCEV(Count) : SE.getZero(Count->getType());
    S = SCEVLoopAddRecRewriter::rewrite(S, Iteration, SE);
    if (!SE.isLoopInvariant(S, L))
      return nullptr;
  }
  return isKnownAtEntry(S) ? S : nullptr;
}

} // namespace isozyme
