//===- ReverseCarried.cpp - Sums that are carried in registers ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of x[i + 1], x[i] and x[i - 1] with the shares a, b and c become
//
//   rev.for:   x.shadow[i + 1] += pending1 + a       the last share of this element
//              pending1 = pending2 + b
//              pending2 = c
//   behind it: x.shadow[i] += pending1               where i is that of the first iteration
//              x.shadow[i - 1] += pending2
//
// and the other way round in a loop that counts up.
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"

using namespace llvm;

namespace isozyme {

SmallVector<AllocaInst *, 4> &ReverseSweep::pendingOf(const CarriedSum &Sum, unsigned Delay) {
  SmallVector<AllocaInst *, 4> &Locals = Pending[{&Sum, Delay}];
  if (Locals.empty()) {
    Type *T = Sum.withDelay(0)->getType();
    IRBuilder<> Behind(F.behindLocals());
    for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
      AllocaInst *Local = F.local(T, Sum.withDelay(0)->getName() + ".pending");
      Behind.CreateStore(Constant::getNullValue(T), Local);
      Locals.push_back(Local);
    }
  }
  return Locals;
}

/// \p Load is one of \p Sum. The first of them in program order is the last to be reversed.
void ReverseSweep::visitCarried(const CarriedSum &Sum, LoadInst &Load, Site &S) {
  IRBuilder<> Before(S.At);
  locate(Before, &Load);
  Shares[&Load] = Adjoints.take(Before, &Load);
  if (Sum.isOfOneElement())
    return sumUp(Sum, Before);
  if (&Load != Sum.Members.front().Load)
    return;
  Lanes At = shadow(Sum.withDelay(0)->getPointerOperand(), S);
  IRBuilder<> B(S.At);
  locate(B, &Load);
  // What is carried on first, memory at last: LLVM vectorises sums that one iteration hands to the
  // next where each is computed before what was handed on is used.
  unsigned Longest = Sum.longestDelay();
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Lanes Handed(Longest + 2, Constant::getNullValue(Load.getType()));
    for (unsigned Delay = 1; Delay <= Longest; ++Delay)
      Handed[Delay] = B.CreateLoad(Load.getType(), pendingOf(Sum, Delay)[Lane]);
    for (unsigned Delay = Longest + 1; Delay-- > 0;) {
      Value *Total = Handed[Delay + 1];
      for (const CarriedSum::Member &M : Sum.Members)
        if (M.Delay == Delay)
          Total = addDerivatives(B, Total, Shares[M.Load][Lane]);
      if (Delay == 0)
        accumulate(B, At[Lane], Total, *Sum.withDelay(0));
      else
        B.CreateStore(Total, pendingOf(Sum, Delay)[Lane]);
    }
  }
}

/// All iterations add to one register.
void ReverseSweep::sumUp(const CarriedSum &Sum, IRBuilder<> &B) {
  LoadInst *Load = Sum.withDelay(0);
  for (auto [Local, Share] : zip_equal(pendingOf(Sum, 0), Shares[Load]))
    B.CreateStore(addDerivatives(B, B.CreateLoad(Load->getType(), Local), Share), Local);
}

/// What is pending when the reverse of \p L is over.
void ReverseSweep::addPending(IRBuilder<> &B, const Loop *L, Site &S) {
  for (const CarriedSum &Sum : Plan.Carried.sums()) {
    if (Sum.L != L)
      continue;
    Type *T = Sum.withDelay(0)->getType();
    Lanes At = shadow(Sum.withDelay(0)->getPointerOperand(), S);
    for (unsigned Delay = Sum.isOfOneElement() ? 0 : 1; Delay <= Sum.longestDelay(); ++Delay) {
      // Where too few iterations have run, nobody has read the element, and nothing is pending.
      unsigned Before = Sum.readBefore(Delay);
      Value *IsRead =
          Before ? B.CreateICmpUGE(primal(P.canonical(L).LastIV, S), B.getInt64(Before)) : nullptr;
      for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
        AllocaInst *Local = pendingOf(Sum, Delay)[Lane];
        Value *Behind = B.CreateConstGEP1_64(B.getInt8Ty(), At[Lane], Sum.pendingAt(Delay));
        if (IsRead)
          Behind = B.CreateSelect(IsRead, Behind, At[Lane]);
        accumulate(B, Behind, B.CreateLoad(T, Local), *Sum.withDelay(Delay + Before));
        B.CreateStore(Constant::getNullValue(T), Local);
      }
    }
  }
}

} // namespace isozyme
