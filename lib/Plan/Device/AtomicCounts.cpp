//===- AtomicCounts.cpp - How often a thread adds atomically --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/AtomicCounts.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace isozyme {

bool isAtomic(const Step &S) {
  switch (S.Adjoint) {
  case AdjointStep::Load:
  case AdjointStep::Store:
  case AdjointStep::Extremum:
    return isAtomic(S.Sum);
  case AdjointStep::Copy:
    return isAtomic(S.Sum) || S.TakesAtOnce;
  default:
    return false;
  }
}

AtomicCounts atomicCountsOf(const DerivativePlan &Plan) {
  AtomicCounts Counts;
  if (!acceleratorOf(*Plan.P.original().getParent()))
    return Counts;
  for (const Instruction &I : instructions(Plan.P.function())) {
    const Step &S = Plan.Steps.at(I);
    Counts.HasCalls |= S.Adjoint == AdjointStep::Call;
    if (!isAtomic(S))
      continue;
    if (S.Adjoint == AdjointStep::Copy) {
      Counts.HasCopies = true;
      continue;
    }
    SmallVector<const Loop *, 2> Loops;
    for (const Loop *L = Plan.P.loops().getLoopFor(I.getParent()); L; L = L->getParentLoop())
      Loops.insert(Loops.begin(), L);
    const bool OnceForWarp = S.Sum == AdjointSum::PerWarp;
    auto *Known = find_if(Counts.Groups, [&](auto &Each) {
      return Each.Loops == Loops && Each.OnceForWarp == OnceForWarp;
    });
    if (Known == Counts.Groups.end()) {
      Counts.Groups.push_back({0, std::move(Loops), OnceForWarp});
      Known = &Counts.Groups.back();
    }
    auto *Vector = dyn_cast<FixedVectorType>(S.Moved);
    Known->Count += uint64_t(Vector ? Vector->getNumElements() : 1) * Plan.Request.Width;
  }
  return Counts;
}

SmallVector<const char *, 2> AtomicCounts::others() const {
  SmallVector<const char *, 2> Others;
  if (HasCopies)
    Others.push_back("1 for each number that is copied");
  if (HasCalls)
    Others.push_back("those of called functions");
  return Others;
}

std::string AtomicCounts::sum(bool OnceForWarp,
                              function_ref<std::string(ArrayRef<const Loop *>)> Times) const {
  std::string Text;
  auto add = [&](const std::string &Part) { Text += (Text.empty() ? "" : " + ") + Part; };
  for (const Group &Each : Groups) {
    if (Each.OnceForWarp != OnceForWarp)
      continue;
    std::string By = Times(Each.Loops);
    StringRef Factors = By;
    bool IsOne = Each.Count == 1 && Factors.consume_front(" * ");
    add(IsOne ? Factors.str() : std::to_string(Each.Count) + By);
  }
  for (const char *More : others())
    if (!OnceForWarp)
      add(More);
  return Text;
}

std::string AtomicCounts::text(function_ref<std::string(ArrayRef<const Loop *>)> Times) const {
  std::string Text = sum(/*OnceForWarp=*/false, Times), OfWarp = sum(/*OnceForWarp=*/true, Times);
  if (OfWarp.empty())
    return Text;
  return Text + (Text.empty() ? "" : ", and ") + OfWarp + " once for a warp";
}

} // namespace isozyme
