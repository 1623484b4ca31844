//===- LaneVectors.cpp - Where lanes are elements of a vector -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop only computes if all its active instructions are arithmetic on scalar
// floats, and it carries one of them from iteration to iteration. With an access
// to shadow memory, lanes come from different arrays, and the loop vectoriser, which
// refuses vectors, does better, unless copies put them side by side (LaneCopies); with a
// call, the call is what costs.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Lanes/LaneVectors.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Plan/StepPlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// A type that processors have vectors of.
static bool isElement(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

/// A call that becomes at most two instructions.
static bool isCheap(const CallBase &Call) {
  const auto *Known = dyn_cast<IntrinsicInst>(&Call);
  if (!Known)
    return false;
  switch (Known->getIntrinsicID()) {
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return true;
  default:
    return Known->isAssumeLikeIntrinsic();
  }
}

/// Has \p I nothing to do with derivatives, or only computes them?
static bool onlyComputes(const Instruction &I, const PreparedFunction &P, const StepPlan &Steps) {
  if (auto *Call = dyn_cast<CallBase>(&I); Call && !isCheap(*Call))
    return false;
  if (Steps.at(I).Tangent == TangentStep::Nothing)
    return true;
  return isElement(I.getType()) &&
         (isa<PHINode, SelectInst>(I) ||
          (!I.mayReadOrWriteMemory() && viewOf(I, P.libraryInfo()).Class == OpClass::Elementwise));
}

LaneVectors::LaneVectors(const PreparedFunction &P, const StepPlan &Steps, const DiffRequest &R,
                         bool IsReplay) {
  if (R.Width == 1 || R.Dependence || R.isReverse())
    return;
  for (const Loop *L : P.loops())
    visit(*L, P, Steps);
  if (!IsReplay)
    Copies = LaneCopies(P, Steps, R.Width, [&](const Loop &L) {
      return none_of(L.blocks(), [&](const BasicBlock *BB) { return Blocks.contains(BB); });
    });
  for (const LaneCopy &Copy : Copies.all())
    Blocks.insert_range(Copy.Where->blocks());
}

void LaneVectors::visit(const Loop &L, const PreparedFunction &P, const StepPlan &Steps) {
  const bool Computes = all_of(L.blocks(), [&](const BasicBlock *BB) {
    return all_of(*BB, [&](const Instruction &I) { return onlyComputes(I, P, Steps); });
  });
  if (!Computes) {
    for (const Loop *Inner : L)
      visit(*Inner, P, Steps);
    return;
  }
  if (none_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
        return Steps.of(&Phi).HasTangent && isElement(Phi.getType());
      }))
    return;
  Loops.push_back(&L);
  Blocks.insert_range(L.blocks());
}

bool LaneVectors::contains(const Instruction &I) const {
  if (!isElement(I.getType()) || !Blocks.contains(I.getParent()))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  return (!Call || isCheap(*Call)) && all_of(I.operands(), [](const Use &U) {
           const Type *T = U->getType();
           return !T->isFPOrFPVectorTy() || isElement(T);
         });
}

bool LaneVectors::verify(const PreparedFunction &P, const StepPlan &Steps, raw_ostream &OS) const {
  for (const Loop *L : Loops)
    for (const BasicBlock *BB : L->blocks())
      for (const Instruction &I : *BB)
        if (Steps.at(I).Shadow != ShadowReach::None || (Steps.of(&I).HasTangent && !contains(I))) {
          OS << operandName(&I) << " is in a loop of vectors, but its tangents are none\n";
          return true;
        }
  return Copies.verify(P, OS);
}

void LaneVectors::print(const PreparedFunction &P, raw_ostream &OS) const {
  auto nameLoop = [&](const Loop &L) {
    OS << "  loop ";
    L.getHeader()->printAsOperand(OS, /*PrintType=*/false);
    OS << ": lanes are elements of vectors";
  };
  for (const Loop *L : Loops) {
    nameLoop(*L);
    OS << '\n';
  }
  for (const LaneCopy &Copy : Copies.all()) {
    nameLoop(*Copy.Where);
    OS << "; the " << Copy.Count << " tangents of ";
    Copy.Memory->printAsOperand(OS, /*PrintType=*/false);
    OS << " are copied side by side before it\n";
  }
}

} // namespace isozyme
