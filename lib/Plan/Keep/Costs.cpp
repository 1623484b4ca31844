//===- Costs.cpp - What it costs to keep a value and to compute it --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Costs.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

constexpr uint64_t MaxCost = uint64_t(1) << 48;

uint64_t workOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return 0;
  case Instruction::Load:
    return WorkOfLoad;
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return WorkOfDivision;
  default:
    break;
  }
  switch (opInfo(mathOpOf(I)).Again) {
  case Work::Simple:
    return 1;
  case Work::Division:
    return WorkOfDivision;
  case Work::Call:
    return WorkOfCall;
  }
  llvm_unreachable("complete switch");
}

uint64_t workOfReverse(const StepPlan &Steps, const Instruction &I) {
  switch (Steps.at(I).Adjoint) {
  case AdjointStep::Nothing:
    return 0;
  case AdjointStep::Load:
    return 2 * WorkOfLoad + 1;
  case AdjointStep::Store:
    return 2 * WorkOfLoad;
  case AdjointStep::Rule:
    return 2 + workOf(I);
  default:
    return 1;
  }
}

uint64_t timesTrips(const PreparedFunction &P, const Instruction &I, uint64_t Cost,
                    const Loop *Nest) {
  for (const Loop *L = P.loops().getLoopFor(I.getParent()); L != Nest && Cost;
       L = L->getParentLoop()) {
    auto *Last = dyn_cast_or_null<ConstantInt>(P.canonical(L).LastIV);
    uint64_t Trips = Last ? Last->getLimitedValue(MaxCost - 1) + 1 : AssumedTrips;
    Cost = Trips > MaxCost / Cost ? MaxCost : Cost * Trips;
  }
  return Cost;
}

} // namespace isozyme
