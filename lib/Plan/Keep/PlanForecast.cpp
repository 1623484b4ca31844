//===- PlanForecast.cpp - What a reverse plan will cost -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are those that the code says, or a profile (-fprofile-use), or an assumed number.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/PlanForecast.h"
#include "Costs.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace isozyme {

namespace {

class Forecaster {
public:
  explicit Forecaster(const DerivativePlan &Plan);
  PlanForecast forecast();

private:
  uint64_t times(const Instruction &I, bool IsBack = false) const;
  void addSlots();
  void addWork();

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  DenseMap<const Loop *, uint64_t> Trips;
  PlanForecast Found;
};

} // namespace

Forecaster::Forecaster(const DerivativePlan &Plan) : Plan(Plan), P(Plan.P) {
  for (Loop *L : P.loops().getLoopsInPreorder()) {
    if (auto *Last = dyn_cast_or_null<ConstantInt>(P.canonical(L).LastIV)) {
      Trips[L] = SaturatingAdd<uint64_t>(Last->getLimitedValue(), 1);
    } else if (std::optional<unsigned> Seen = getLoopEstimatedTripCount(L)) {
      Trips[L] = *Seen;
    } else {
      Trips[L] = AssumedTrips;
      Found.Assumed.push_back(L);
    }
  }
}

/// How often \p I runs, or its reverse: a branch around it counts as taken.
uint64_t Forecaster::times(const Instruction &I, bool IsBack) const {
  uint64_t Times = 1;
  for (const Loop *L = P.loops().getLoopFor(I.getParent()); L; L = L->getParentLoop())
    if (!IsBack || !Plan.Chosen.find(L))
      Times = SaturatingMultiply(Times, Trips.lookup(L));
  return Times;
}

/// What is kept is written by the forward sweep and read by the reverse one.
void Forecaster::addSlots() {
  const DataLayout &DL = P.function().getDataLayout();
  for (const TapeSlot &S : Plan.Tape.slots()) {
    uint64_t Count = 1, Bytes = DL.getTypeAllocSize(S.Elem);
    for (const Loop *L : Plan.Tape.loopsOf(S))
      Count = SaturatingMultiply(Count, Trips.lookup(L) + Plan.Tape.haloOf(S, L));
    Found.TapeBytes = SaturatingMultiplyAdd(Count, Bytes, Found.TapeBytes);
    auto *I = dyn_cast_or_null<Instruction>(S.Key.V);
    uint64_t Each = CostOfSlot + CostPerByte * Bytes, Written = I ? times(*I) : Count;
    uint64_t &Writes = I && Plan.Fused.around(P, I) ? Found.Reverse : Found.Forward;
    Writes = SaturatingMultiplyAdd(Written, Each / 2, Writes);
    uint64_t Read = I ? times(*I, /*IsBack=*/true) : Count;
    Found.Reverse = SaturatingMultiplyAdd(Read, Each - Each / 2, Found.Reverse);
  }
}

void Forecaster::addWork() {
  for (const Instruction &I : instructions(P.function())) {
    uint64_t Times = times(I);
    if (!isa<PHINode>(I) && !I.isTerminator()) {
      uint64_t Work = SaturatingMultiply(Times, workOf(I));
      uint64_t &Sweep = Plan.Fused.around(P, &I) ? Found.Reverse : Found.Forward;
      Found.Primal = SaturatingAdd(Found.Primal, Work);
      Sweep = SaturatingAdd(Sweep, Work);
    }
    uint64_t Back = workOfReverse(Plan.Steps, I) * Plan.Request.Width;
    Found.Reverse = SaturatingMultiplyAdd(times(I, /*IsBack=*/true), Back, Found.Reverse);
  }
  // An iteration that the reverse sweep runs has computed all of it.
  for (auto &[N, D] : Plan.Keep)
    if (auto *I = dyn_cast<Instruction>(N.V);
        I && (D.K == KeepDecision::Recompute || D.K == KeepDecision::Reload) &&
        !Plan.Fused.around(P, I))
      Found.Reverse = SaturatingMultiplyAdd(times(*I, /*IsBack=*/true), workOf(*I), Found.Reverse);
}

PlanForecast Forecaster::forecast() {
  addSlots();
  addWork();
  return std::move(Found);
}

PlanForecast forecastOf(const DerivativePlan &Plan) { return Forecaster(Plan).forecast(); }

void PlanForecast::print(raw_ostream &OS) const {
  OS << "  forecast  " << TapeBytes << " bytes of tape; work " << Forward << " forward + "
     << Reverse << " reverse, of the function " << Primal;
  for (auto [Number, L] : enumerate(Assumed))
    OS << (Number ? "," : "; assumed " + std::to_string(AssumedTrips) + " iterations of") << ' '
       << operandName(L->getHeader());
  OS << '\n';
}

} // namespace isozyme
