//===- UnreadMemory.cpp - Stores that nobody reads ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   store double %y, ptr %out      %out is dupnoneed, and the function never reads
//                                  through it: not done
//
// One way of reading, or one by which the address gets out of sight, is enough to keep
// all stores through an argument.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {
/// What is done with the memory behind one argument.
class Walk {
public:
  explicit Walk(Argument &A) { Addresses.insert(&A); }

  bool isUnread();

  SetVector<Value *> Addresses; ///< Those that are computed from the argument.
  SmallVector<Instruction *, 8> Stores;

private:
  bool allows(Use &U);
  bool allowsCall(CallBase &Call, Use &U);
};
} // namespace

bool Walk::allowsCall(CallBase &Call, Use &U) {
  if (Call.isLifetimeStartOrEnd() || isa<AssumeInst>(Call))
    return true;
  if (!Call.isDataOperand(&U) || !Call.isArgOperand(&U) ||
      !Call.doesNotCapture(Call.getArgOperandNo(&U)))
    return false;
  if (auto *Bulk = dyn_cast<MemIntrinsic>(&Call)) {
    if (Bulk->isVolatile() || Call.getArgOperandNo(&U) != 0)
      return false;
    Stores.push_back(&Call);
    return true;
  }
  if (auto *II = dyn_cast<IntrinsicInst>(&Call); II && maskedAccess(Call)) {
    if (!Call.getType()->isVoidTy())
      return false;
    Stores.push_back(&Call);
    return true;
  }
  return Call.onlyWritesMemory(Call.getArgOperandNo(&U)) || Call.onlyWritesMemory();
}

bool Walk::allows(Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<ICmpInst>(I))
    return true;
  if (isa<GetElementPtrInst, CastInst, FreezeInst, PHINode, SelectInst>(I)) {
    if (!I->getType()->isPointerTy())
      return false;
    Addresses.insert(I);
    return true;
  }
  if (auto *S = dyn_cast<StoreInst>(I)) {
    if (!S->isSimple() || U.getOperandNo() != StoreInst::getPointerOperandIndex())
      return false;
    Stores.push_back(S);
    return true;
  }
  auto *Call = dyn_cast<CallBase>(I);
  return Call && allowsCall(*Call, U);
}

bool Walk::isUnread() {
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (Use &U : Addresses[Next]->uses())
      if (!allows(U))
        return false;
  // What joins them with other memory might be read as that.
  return all_of(Addresses, [&](Value *V) {
    auto *Phi = dyn_cast<PHINode>(V);
    auto *Select = dyn_cast<SelectInst>(V);
    auto isOne = [&](Value *From) { return isa<ConstantData>(From) || Addresses.contains(From); };
    return Phi      ? all_of(Phi->incoming_values(), isOne)
           : Select ? isOne(Select->getTrueValue()) && isOne(Select->getFalseValue())
                    : true;
  });
}

UnreadMemory::UnreadMemory(const PreparedFunction &P, const DiffRequest &R) {
  for (Argument &A : P.function().args()) {
    if (R.Args[A.getArgNo()] != ArgActivity::DupNoNeed || !A.getType()->isPointerTy())
      continue;
    Walk W(A);
    if (!W.isUnread())
      continue;
    Stores.insert_range(W.Stores);
    Addresses.insert_range(W.Addresses);
  }
}

} // namespace isozyme
