//===- AdjointStore.cpp - Adjoints of SSA values --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local per value and lane is robust to any control flow; promotion to
// registers removes all of them afterwards.
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"
#include "isozyme/Needs/AdjointType.h"

using namespace llvm;

namespace isozyme {

bool AdjointStore::carries(Value *V) const {
  return F.Plan.Activity.isActiveValue(V) && adjointType(V, F.Plan.Types);
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
  Lanes D = read(B, V);
  for (AllocaInst *A : locals(V))
    B.CreateStore(Constant::getNullValue(A->getAllocatedType()), A);
  return D;
}

void AdjointStore::add(IRBuilder<> &B, Value *V, const Lanes &D) {
  if (!carries(V))
    return;
  for (auto [A, Each] : zip_equal(locals(V), D)) {
    Type *T = A->getAllocatedType();
    Value *Part = Each->getType() == T ? Each : B.CreateBitCast(Each, T);
    Value *Sum = addDerivatives(B, B.CreateLoad(T, A), Part);
    B.CreateStore(Sum, A);
  }
}

} // namespace isozyme
