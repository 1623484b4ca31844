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
#include "Sweeps.h"
#include "isozyme/Needs/AdjointType.h"

using namespace llvm;

namespace isozyme {

bool AdjointStore::carries(Value *V) const {
  return F.Plan.Activity.isActiveValue(V) && adjointType(V, F.Plan.Types);
}

bool AdjointStore::staysInBlock(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && !isa<PHINode>(I) && all_of(I->users(), [&](const User *U) {
    return !isa<PHINode>(U) && cast<Instruction>(U)->getParent() == I->getParent();
  });
}

SmallVector<AllocaInst *, 4> &AdjointStore::locals(Value *V) {
  SmallVector<AllocaInst *, 4> &Slots = Locals[V];
  if (Slots.empty()) {
    Type *T = adjointType(V, F.Plan.Types);
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

Lanes AdjointStore::take(IRBuilder<> &B, Value *V) {
  if (staysInBlock(V)) {
    auto It = Sums.find(V);
    if (It == Sums.end())
      return Lanes(F.Width, Constant::getNullValue(adjointType(V, F.Plan.Types)));
    Lanes D = std::move(It->second);
    Sums.erase(It);
    return D;
  }
  Lanes D = read(B, V);
  for (AllocaInst *A : locals(V))
    B.CreateStore(Constant::getNullValue(A->getAllocatedType()), A);
  return D;
}

void AdjointStore::add(IRBuilder<> &B, Value *V, const Lanes &D) {
  if (!carries(V))
    return;
  Type *T = adjointType(V, F.Plan.Types);
  auto part = [&](Value *Each) {
    return Each->getType() == T ? Each : B.CreateBitCast(Each, T);
  };
  if (staysInBlock(V)) {
    auto [It, First] = Sums.try_emplace(V);
    for (auto [Lane, Each] : enumerate(D)) {
      if (First)
        It->second.push_back(part(Each));
      else
        It->second[Lane] = addDerivatives(B, It->second[Lane], part(Each));
    }
    return;
  }
  for (auto [A, Each] : zip_equal(locals(V), D))
    B.CreateStore(addDerivatives(B, B.CreateLoad(T, A), part(Each)), A);
}

} // namespace isozyme
