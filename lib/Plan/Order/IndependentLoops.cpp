//===- IndependentLoops.cpp - Reverse loops without dependences -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reverse of a loop writes is shadow memory. What has to hold of each two accesses that
// it makes to shadows:
//
//   they are in different objects,
//   or move alike, and meet in the same iteration   x[i].a beside x[i].b
//   or never,                                       x[i] beside x[i + n], up to n iterations
//   or are summed up in registers                   (CarriedSums.cpp)
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/IndependentLoops.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/Order/RisingLoops.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace isozyme {

/// Pairs of them are compared.
constexpr unsigned MostAccesses = 24;

/// Objects are smaller than 2^60 bytes, and so many of them than 2^63.
constexpr int MostRows = 6;

void IndependentLoops::print(raw_ostream &OS) const {
  for (const Loop *L : Loops)
    OS << "    loop " << operandName(L->getHeader())
       << "  touches other memory in each iteration of its reverse\n";
}

const char *whyNotIndependent(const DerivativePlan &Plan, const Loop &L) {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.getLoopLatch() ||
      L.getExitingBlock() != L.getLoopLatch())
    return "that may end in the middle of an iteration";
  if (Plan.Chosen.find(&L))
    return "of which one iteration is reversed";
  if (any_of(Plan.Fused.loops(),
             [&](const FusedLoop &F) { return F.L == &L || F.L->contains(&L); }))
    return "with or in a loop that runs in the reverse sweep only";
  if (makesTape(Plan, L))
    return "whose iterations make parts of the tape";
  for (auto &[N, D] : Plan.Keep)
    if (auto *S = dyn_cast<StoreInst>(N.V); S && N.P == Part::Overwritten && L.contains(S))
      return "with a store that is undone";
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const char *Why = whyNotPlain(Plan, I))
        return Why;
  return nullptr;
}

namespace {

/// LLVM leaves zext(n - 1) as it is, where n is known to be positive only by the guard of a loop.
class ExtensionsOpened : public SCEVRewriteVisitor<ExtensionsOpened> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    auto *Sum = dyn_cast<SCEVAddExpr>(E->getOperand());
    if (!Sum || !Sum->hasNoSignedWrap() || !SE.isKnownNonNegative(Sum))
      return E;
    SmallVector<const SCEV *, 4> Terms;
    for (const SCEV *Term : Sum->operands())
      Terms.push_back(SE.getSignExtendExpr(Term, E->getType()));
    return SE.getAddExpr(Terms);
  }
};

/// Two accesses to shadows in the reverse of one loop.
class Pair {
public:
  Pair(const DerivativePlan &Plan, const MemoryAvailability &Memory, const Loop &L)
      : Plan(Plan), SE(Plan.P.scalarEvolution()), Memory(Memory), L(L) {}

  /// Does no iteration touch by \p A what another one touches by \p B?
  bool areApart(const Instruction &A, const Instruction &B) const {
    return liesElsewhere(A, B) || (movesAlike(A, B) && (&A == &B || neverMeet(A, B))) ||
           Memory.areApartIn(A, B, L);
  }

private:
  static Value *pointer(const Instruction &I) {
    return const_cast<Value *>(getLoadStorePointerOperand(&I));
  }
  static int64_t size(const Instruction &I) {
    return I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)).getFixedValue();
  }

  bool liesElsewhere(const Instruction &A, const Instruction &B) const {
    const Value *One = getUnderlyingObject(pointer(A), /*MaxLookup=*/0);
    const Value *Other = getUnderlyingObject(pointer(B), /*MaxLookup=*/0);
    // What is only read may be one and the same behind two restricted parameters, and so its
    // shadow.
    bool IsTold = isa<StoreInst>(A) || isa<StoreInst>(B) || isOwn(One) || isOwn(Other);
    return IsTold && L.isLoopInvariant(One) && L.isLoopInvariant(Other) &&
           Memory.areDifferent(One, Other);
  }

  /// Is \p Object memory that is an object by itself, whoever reads it?
  static bool isOwn(const Value *Object) {
    SmallVector<const Value *, 4> All;
    getUnderlyingObjects(Object, All, nullptr, 0);
    return all_of(
        All, [](const Value *V) { return isa<AllocaInst, GlobalVariable>(V) || isNoAliasCall(V); });
  }

  /// In bytes from one iteration to the next; zero where that is not known.
  int64_t step(const Instruction &I) const {
    auto *Moving = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(pointer(I)));
    if (!Moving || Moving->getLoop() != &L || !Moving->isAffine())
      return 0;
    auto *By = dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE));
    return By && By->getAPInt().getSignificantBits() < 32 ? By->getAPInt().getSExtValue() : 0;
  }

  bool movesAlike(const Instruction &A, const Instruction &B) const {
    int64_t Step = step(A);
    return Step == step(B) && std::abs(Step) >= std::max(size(A), size(B));
  }

  /// Both move by the same step.
  bool neverMeet(const Instruction &A, const Instruction &B) const {
    const SCEV *Distance = SE.getMinusSCEV(SE.getSCEV(pointer(A)), SE.getSCEV(pointer(B)));
    if (isa<SCEVCouldNotCompute>(Distance) || !SE.isLoopInvariant(Distance, &L))
      return false;
    const int64_t Step = std::abs(step(A));
    if (auto *Known = dyn_cast<SCEVConstant>(Distance); Known && meetsOnlyAlike(A, B, *Known, Step))
      return true;
    const Value *Last = Plan.P.canonical(&L).LastIV;
    return Last && (isBeyond(Distance, size(B), *Last, Step) ||
                    isBeyond(SE.getNegativeSCEV(Distance), size(A), *Last, Step));
  }

  /// Members of one element, or one and the same place.
  static bool meetsOnlyAlike(const Instruction &A, const Instruction &B, const SCEVConstant &Known,
                             int64_t Step) {
    const int64_t Distance = Known.getAPInt().getSExtValue();
    if (Distance == 0)
      return true;
    const int64_t Behind = ((Distance % Step) + Step) % Step;
    return Behind >= size(B) && Behind <= Step - size(A) && Behind != 0;
  }

  /// Is \p Distance at least what an access of \p Size bytes covers in all iterations?
  bool isBeyond(const SCEV *Distance, int64_t Size, const Value &Last, int64_t Step) const {
    Type *T = Distance->getType();
    const SCEV *Iterations = SE.getTruncateOrZeroExtend(SE.getSCEV(const_cast<Value *>(&Last)), T);
    const SCEV *Covered =
        SE.getAddExpr(SE.getMulExpr(Iterations, SE.getConstant(T, Step)), SE.getConstant(T, Size));
    const SCEV *Between = SE.getMinusSCEV(Distance, Covered);
    if (SE.isKnownNonNegative(withGuards(Between)))
      return true;
    // Nothing wraps in a small multiple of the bytes of an object, and in a few more.
    for (int Rows = 1; Rows < MostRows; ++Rows, Between = SE.getMinusSCEV(Between, Covered))
      if (auto *Rest = dyn_cast<SCEVConstant>(withGuards(Between)))
        return Rest->getAPInt().isNonNegative() && Rest->getAPInt().getActiveBits() < 32;
    return false;
  }

  const SCEV *withGuards(const SCEV *S) const {
    return ExtensionsOpened(SE).visit(SE.applyLoopGuards(S, &L));
  }

  const DerivativePlan &Plan;
  ScalarEvolution &SE;
  const MemoryAvailability &Memory;
  const Loop &L;
};

} // namespace

/// Is the share of \p I added to memory in another way than at once?
static bool isCarriedOn(const DerivativePlan &Plan, const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  const CarriedSum *Sum = Load ? Plan.Carried.find(*Load) : nullptr;
  return Sum && (Sum->isOfOneElement() || Sum->withDelay(0) != Load);
}

static SmallVector<const Instruction *, 16> shadowAccesses(const DerivativePlan &Plan,
                                                           const Loop &L) {
  SmallVector<const Instruction *, 16> Found;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      AdjointStep Todo = Plan.Steps.at(I).Adjoint;
      if ((Todo == AdjointStep::Load || Todo == AdjointStep::Store) && !isCarriedOn(Plan, I))
        Found.push_back(&I);
    }
  return Found;
}

IndependentLoops findIndependentLoops(const DerivativePlan &Plan,
                                      const MemoryAvailability &Memory) {
  IndependentLoops Found;
  const Function &User = Plan.P.original();
  // Shadows of several directions may be given in one.
  if (!options().Apart || Plan.Request.Width != 1 || !Plan.Watches.empty() ||
      User.hasFnAttribute(UnoptimisedMark) || acceleratorOf(*User.getParent()))
    return Found;
  for (const Loop *L : Plan.CFG->loops()) {
    if (whyNotIndependent(Plan, *L))
      continue;
    SmallVector<const Instruction *, 16> Accesses = shadowAccesses(Plan, *L);
    Pair Two(Plan, Memory, *L);
    if (!Accesses.empty() && Accesses.size() <= MostAccesses &&
        all_of(Accesses, [&](const Instruction *A) {
          return all_of(Accesses,
                        [&](const Instruction *B) { return B < A || Two.areApart(*A, *B); });
        }))
      Found.add(L);
  }
  return Found;
}

} // namespace isozyme
