//===- AdjointStore.cpp - Adjoints of SSA values --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local per value and lane is robust to any control flow; promotion to
// registers removes all of them afterwards. A value that is defined and used in
// one block needs none: its reverse is one piece of straight-line code, so the sum
// so far is handed from use to definition. Most values of long straight-line code
// are such, and promotion of many thousand locals would not be linear.
//
//===----------------------------------------------------------------------===//
#include "DebugScope.h"
#include "Runtime/WatchCalls.h"
#include "Sweeps.h"

using namespace llvm;

namespace isozyme {

SmallVector<AllocaInst *, 4> &AdjointStore::locals(Value *V) {
  SmallVector<AllocaInst *, 4> &Slots = Locals[V];
  if (Slots.empty()) {
    Type *T = F.Plan.Steps.of(V).Adjoint;
    IRBuilder<> Behind(F.behindLocals());
    for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
      AllocaInst *A = F.local(T, V->getName() + ".adj");
      Behind.CreateStore(Constant::getNullValue(T), A);
      Slots.push_back(A);
    }
  }
  return Slots;
}

Lanes AdjointStore::read(IRBuilder<> &B, Value *V) {
  Lanes D;
  for (AllocaInst *A : locals(V))
    D.push_back(B.CreateLoad(A->getAllocatedType(), A, V->getName() + ".adj"));
  return D;
}

Lanes AdjointStore::peek(IRBuilder<> &B, Value *V) {
  ValuePlan Plan = F.Plan.Steps.of(V);
  if (!Plan.InBlock)
    return read(B, V);
  auto It = Sums.find(V);
  return It == Sums.end() ? Lanes(F.Width, Constant::getNullValue(Plan.Adjoint)) : It->second;
}

Lanes AdjointStore::take(IRBuilder<> &B, Value *V) {
  if (ValuePlan Plan = F.Plan.Steps.of(V); Plan.InBlock) {
    auto It = Sums.find(V);
    if (It == Sums.end())
      return Lanes(F.Width, Constant::getNullValue(Plan.Adjoint));
    Lanes D = std::move(It->second);
    Sums.erase(It);
    return D;
  }
  Lanes D = read(B, V);
  describeLanes(B, V, D, "_adj");
  for (AllocaInst *A : locals(V))
    B.CreateStore(Constant::getNullValue(A->getAllocatedType()), A);
  return D;
}

void AdjointStore::watch(IRBuilder<> &B, Value *V, Value *Added, Value *Now, unsigned Lane) {
  const WatchedPlace *Place = F.Plan.Watches.value(V);
  if (Place && !IsHandedOn && (!isa<Constant>(Added) || !cast<Constant>(Added)->isNullValue()))
    emitWatch(B, {*Place, F.P, nullptr, nullptr, Added, Now, Lane, F.Width});
}

void AdjointStore::handOn(IRBuilder<> &B, PHINode &Phi, Value *V, const Lanes &D) {
  const WatchedPlace *From = F.Plan.Watches.value(&Phi), *To = F.Plan.Watches.value(V);
  IsHandedOn = From && To && From->Name == To->Name;
  add(B, V, D);
  IsHandedOn = false;
}

void AdjointStore::add(IRBuilder<> &B, Value *V, const Lanes &D) {
  ValuePlan Plan = F.Plan.Steps.of(V);
  Type *T = Plan.Adjoint;
  if (!T)
    return;
  auto part = [&](Value *Each) { return Each->getType() == T ? Each : B.CreateBitCast(Each, T); };
  if (Plan.InBlock) {
    auto [It, First] = Sums.try_emplace(V);
    for (auto [Lane, Each] : enumerate(D)) {
      Value *New = part(Each);
      if (First)
        It->second.push_back(New);
      else
        It->second[Lane] = addDerivatives(B, It->second[Lane], New);
      watch(B, V, New, It->second[Lane], Lane);
    }
    describeLanes(B, V, It->second, "_adj");
    return;
  }
  Lanes Sum;
  for (auto [A, Each] : zip_equal(locals(V), D)) {
    Value *New = part(Each);
    Sum.push_back(addDerivatives(B, B.CreateLoad(T, A), New));
    B.CreateStore(Sum.back(), A);
    watch(B, V, New, Sum.back(), Sum.size() - 1);
  }
  describeLanes(B, V, Sum, "_adj");
}

} // namespace isozyme
