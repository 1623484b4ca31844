//===- WriteOrderBounds.cpp - What is known of counters where code runs ---===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sources of bounds besides the trip counts:
//
//   if (i != j) use(l[j*n + j]);     a branch that leads to an access: here j is at most i-1
//   new double[n * n]                a product that does not overflow: nor does (n+1) * i, which
//                                    the optimiser has made of i*n + i and taken the flags from
//
//===----------------------------------------------------------------------===//
#include "WriteOrder.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// Branches on the way to an access, and operations of a function, that are looked at.
constexpr unsigned MaxBranches = 16, MaxFlagged = 64;

/// The branch of \p Above on which each way to \p BB goes: the comparison as it is there.
static const ICmpInst *conditionOf(const BasicBlock &Above, const BasicBlock &BB,
                                   const DominatorTree &DT, bool &Holds) {
  auto *Branch = dyn_cast<BranchInst>(Above.getTerminator());
  if (!Branch || !Branch->isConditional())
    return nullptr;
  for (bool Way : {true, false})
    if (DT.dominates(BasicBlockEdge(&Above, Branch->getSuccessor(Way ? 0 : 1)), &BB)) {
      Holds = Way;
      return dyn_cast<ICmpInst>(Branch->getCondition());
    }
  return nullptr;
}

const SmallVectorImpl<WriteOrder::Condition> &WriteOrder::conditionsAt(const Instruction &At) {
  auto [It, New] = Conditions.try_emplace(&At);
  if (!New)
    return It->second;
  SmallVector<Condition, 4> Found;
  const DomTreeNode *Node = P.dominators().getNode(At.getParent());
  for (unsigned Left = MaxBranches; Left && Node->getIDom(); --Left, Node = Node->getIDom()) {
    bool Holds;
    const ICmpInst *Compare =
        conditionOf(*Node->getIDom()->getBlock(), *At.getParent(), P.dominators(), Holds);
    Integer A = Compare ? exact(Compare->getOperand(0), At) : std::nullopt;
    Integer B = A ? exact(Compare->getOperand(1), At) : std::nullopt;
    if (!B || (Compare->isUnsigned() && !(isNatural(A, At) && isNatural(B, At))))
      continue;
    CmpInst::Predicate Is = Holds ? Compare->getPredicate() : Compare->getInversePredicate();
    if (ICmpInst::isGT(Is) || ICmpInst::isGE(Is)) {
      std::swap(A, B);
      Is = CmpInst::getSwappedPredicate(Is);
    }
    CounterPolynomial More = *B - *A;
    if (ICmpInst::isLT(Is))
      More = More - CounterPolynomial(1);
    Found.push_back({More, Is == CmpInst::ICMP_NE});
    if (Is == CmpInst::ICMP_EQ)
      Found.push_back({*A - *B, false});
  }
  return Conditions[&At] = std::move(Found);
}

WriteOrder::Bounds WriteOrder::mostOf(const Loop *L, const Instruction &At) {
  Bounds All;
  Symbol Here = {P.canonical(L).IV, Symbol::Counter};
  auto isOfLoopsAround = [&](Symbol S) {
    const Loop *Of = S.K == Symbol::Counter
                         ? P.loops().getLoopFor(cast<Instruction>(S.V)->getParent())
                         : nullptr;
    return S.K == Symbol::Number || (Of && Of != L && Of->contains(L));
  };
  if (Integer Last = lastOf(L))
    All.push_back(*Last);
  for (const Condition &C : conditionsAt(At)) {
    std::optional<CounterPolynomial> Factor = C.N.factorOf(Here);
    CounterPolynomial Most = C.N + CounterPolynomial(Here);
    if (!C.Unequal && Factor && *Factor == CounterPolynomial(-1) &&
        all_of(Most.symbols(), isOfLoopsAround))
      All.push_back(Most);
  }
  for (const Condition &C : conditionsAt(At))
    for (CounterPolynomial &Most : All) {
      CounterPolynomial Left = Most - CounterPolynomial(Here);
      if (C.Unequal && (C.N == Left || CounterPolynomial(0) - C.N == Left))
        Most = Most - CounterPolynomial(1);
    }
  return All;
}

/// A number less a constant, which does not wrap if it is not negative.
static bool isLessThanNumber(const CounterPolynomial &N, unsigned Bits) {
  SmallVector<Symbol, 8> Symbols = N.symbols();
  int64_t Factor = 0;
  return Symbols.size() == 1 && Symbols[0].K == Symbol::Number &&
         Symbols[0].V->getType()->getIntegerBitWidth() <= Bits &&
         N.isLinearIn(Symbols[0], Factor) && Factor == 1 && N.constant() <= 0;
}

bool WriteOrder::fits(const CounterPolynomial &N, unsigned Bits, const Instruction &At) {
  if (isLessThanNumber(N, Bits) && isNeverLess(N, 0, At))
    return true;
  if (IsFitting) // For what is compared with, flags have to do.
    return false;
  IsFitting = true;
  scope_exit Done([&] { IsFitting = false; });
  if (!Flagged) {
    Flagged.emplace();
    for (Instruction &I : instructions(P.function()))
      if (Flagged->size() < MaxFlagged && I.getType()->isIntegerTy() &&
          (I.getOpcode() == Instruction::Mul || I.getOpcode() == Instruction::Add) &&
          I.hasNoSignedWrap() && programUndefinedIfPoison(&I))
        Flagged->push_back(&I);
  }
  auto isBeside = [&](bool Above) {
    return any_of(*Flagged, [&](Instruction *I) {
      if (I->getType()->getIntegerBitWidth() > Bits || !P.dominators().dominates(I, &At))
        return false;
      Integer Known = exact(I, At);
      return Known && isNeverLess(Above ? *Known - N : N - *Known, 0, At);
    });
  };
  return (isNeverLess(N, 0, At) || isBeside(/*Above=*/false)) && isBeside(/*Above=*/true);
}

} // namespace isozyme
