//===- SwappedLoops.cpp - Reverse loops that change places ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold, so that nobody sees in which order iterations are reversed:
//
//   the iterations of the outer loop are reversed    as for loops that count up (RisingLoops.cpp)
//   in any order
//   the inner loop adds up what the outer one        each iteration gets the same adjoint
//   stores, and only adds to shadows
//   outside of the inner loop, the outer one adds    it would add in each iteration of both
//   to no shadow
//   the inner loop has as many iterations in each    the nest is a rectangle
//   one of the outer loop
//
// It pays where the inner loop jumps from row to row, and the outer one does not.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/SwappedLoops.h"
#include "isozyme/Needs/MemoryAvailability.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/Order/RisingLoops.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace isozyme {

bool SwappedLoops::containsInner(const Loop *L) const {
  return any_of(Nests, [&](const SwappedNest &Nest) { return Nest.Inner == L; });
}

void SwappedLoops::print(raw_ostream &OS) const {
  for (const SwappedNest &Nest : Nests)
    OS << "    loop " << operandName(Nest.Inner->getHeader())
       << "  is reversed around the reverse of loop " << operandName(Nest.Outer->getHeader())
       << "  (which goes along rows)\n";
}

/// Is \p Phi the sum of what iterations of its loop add? Then each gets the adjoint of the sum.
static bool isPlainSum(const PHINode &Phi, const Loop &L) {
  using namespace PatternMatch;
  auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  return Next && Phi.hasOneUse() &&
         (match(Next, m_c_FAdd(m_Specific(&Phi), m_Value())) ||
          match(Next, m_FSub(m_Specific(&Phi), m_Value())) ||
          match(Next, m_Intrinsic<Intrinsic::fmuladd>(m_Value(), m_Value(), m_Specific(&Phi))) ||
          match(Next, m_Intrinsic<Intrinsic::fma>(m_Value(), m_Value(), m_Specific(&Phi)))) &&
         all_of(Next->users(),
                [&](const User *U) { return U == &Phi || !L.contains(cast<Instruction>(U)); });
}

/// Null if the reverse of \p I in the inner loop only adds to shadows.
static const char *whyNotAdding(const DerivativePlan &Plan, const Instruction &I, const Loop &L) {
  switch (Plan.Steps.at(I).Adjoint) {
  case AdjointStep::Nothing:
  case AdjointStep::HandOn:
  case AdjointStep::Rule:
  case AdjointStep::Load:
    break;
  default:
    return "that does more than add to shadows";
  }
  if (!Plan.Steps.of(&I).Adjoint)
    return nullptr;
  auto *Phi = dyn_cast<PHINode>(&I);
  if (Phi && !isPlainSum(*Phi, L))
    return "whose iterations hand on an adjoint";
  auto isSum = [&](const User *U) {
    auto *To = dyn_cast<PHINode>(U);
    return To && To->getParent() == L.getHeader();
  };
  bool IsSum = any_of(I.users(), isSum);
  if (!Phi && !IsSum &&
      any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); }))
    return "with an active value that is used behind it";
  return nullptr;
}

const char *whyNotSwapped(const DerivativePlan &Plan, const SwappedNest &Nest) {
  const Loop &Outer = *Nest.Outer, &Inner = *Nest.Inner;
  if (Inner.getNumBlocks() != 1 || Inner.getParentLoop() != &Outer ||
      Outer.getSubLoops().size() != 1)
    return "with branches";
  if (Plan.Chosen.find(&Inner))
    return "of which one iteration is reversed";
  if (const char *Why = whyNotRising(Plan, Outer))
    return Why;
  auto *Last = dyn_cast_or_null<Instruction>(Plan.P.canonical(&Inner).LastIV);
  if (!Plan.P.canonical(&Inner).LastIV || (Last && Outer.contains(Last)))
    return "whose iterations are no rectangle";
  for (const BasicBlock *BB : Outer.blocks())
    for (const Instruction &I : *BB) {
      if (Inner.contains(BB)) {
        if (const char *Why = whyNotAdding(Plan, I, Inner))
          return Why;
      } else if (Plan.Steps.at(I).Adjoint == AdjointStep::Load) {
        return "that adds to a shadow outside of the inner one";
      }
    }
  return nullptr;
}

namespace {

enum class Stride { None, Row, Jump };

} // namespace

/// How \p Ptr moves from one iteration of \p L to the next, an access of \p Size bytes.
static Stride strideOf(ScalarEvolution &SE, Value *Ptr, const Loop &L, uint64_t Size) {
  const SCEV *S = SE.getSCEV(Ptr);
  for (auto *Moving = dyn_cast<SCEVAddRecExpr>(S); Moving; Moving = dyn_cast<SCEVAddRecExpr>(S)) {
    if (Moving->getLoop() == &L) {
      auto *By = dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE));
      return By && By->getAPInt().abs() == Size ? Stride::Row : Stride::Jump;
    }
    S = Moving->getStart();
  }
  return SE.isLoopInvariant(S, &L) ? Stride::None : Stride::Jump;
}

/// Do accesses that the reverse sweep repeats jump in the inner loop, and none in the outer one?
static bool goesAlongRows(const DerivativePlan &Plan, const SwappedNest &Nest) {
  ScalarEvolution &SE = Plan.P.scalarEvolution();
  bool Jumps = false;
  for (const BasicBlock *BB : Nest.Outer->blocks())
    for (const Instruction &I : *BB) {
      AdjointStep Todo = Plan.Steps.at(I).Adjoint;
      if (Todo != AdjointStep::Load && Todo != AdjointStep::Store)
        continue;
      auto *Ptr = const_cast<Value *>(getLoadStorePointerOperand(&I));
      uint64_t Size = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)).getFixedValue();
      if (strideOf(SE, Ptr, *Nest.Outer, Size) == Stride::Jump)
        return false;
      Jumps |= Nest.Inner->contains(BB) && strideOf(SE, Ptr, *Nest.Inner, Size) == Stride::Jump;
    }
  return Jumps;
}

SwappedLoops findSwappedLoops(const DerivativePlan &Plan, const MemoryAvailability &Memory) {
  SwappedLoops Found;
  if (!mayReorder(Plan) || Plan.P.original().hasOptSize())
    return Found;
  for (const Loop *L : Plan.CFG->loops()) {
    SwappedNest Nest{L->getParentLoop(), L};
    if (Nest.Outer && !whyNotSwapped(Plan, Nest) && mayRise(Plan, *Nest.Outer, Memory) &&
        goesAlongRows(Plan, Nest))
      Found.add(Nest);
  }
  return Found;
}

} // namespace isozyme
