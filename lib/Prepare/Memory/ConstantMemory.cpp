//===- ConstantMemory.cpp - Addresses in a GPU's constant memory ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   load double, getelementptr(ptr addrspace(4) @weights, i)
//   load double, getelementptr(ptr addrspacecast @weights, i)      generic
//
// Nothing can be added to constant memory, so the shadow of such a variable lies elsewhere. An
// address and its shadow have one type: a generic one, which leads to both.
//
// In: addresses are instructions.  Out: those in variables that have a shadow are generic.
// Never: changes where one of them leads. One that a loop carries keeps its type.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// Is \p V an address in a variable of constant memory that has a shadow?
static bool leadsToShadowed(const Accelerator &Machine, const Value *V) {
  auto *T = dyn_cast<PointerType>(V->getType());
  if (!T || !isa<Constant>(V) || Machine.sharingOf(T->getAddressSpace()) != MemorySharing::Constant)
    return false;
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(V));
  return G && explicitShadow(*G, 0);
}

/// Is \p U where \p I, which may not do so, stores?
static bool isStoredTo(const Instruction &I, const Use &U) {
  return isa<StoreInst>(I) && U.getOperandNo() == StoreInst::getPointerOperandIndex();
}

/// The address at \p U is \p Generic from now on, and so are those that are computed from it.
static void makeGeneric(Use &U, Value *Generic) {
  auto *I = cast<Instruction>(U.getUser());
  auto *At = dyn_cast<GetElementPtrInst>(I);
  if (isa<AddrSpaceCastInst>(I) && I->getType() == Generic->getType()) {
    I->replaceAllUsesWith(Generic);
  } else if (isa<AddrSpaceCastInst, LoadInst>(I) || isStoredTo(*I, U)) {
    U.set(Generic);
  } else if (auto *Choice = dyn_cast<SelectInst>(I); Choice && U.getOperandNo() != 0) {
    IRBuilder<> B(Choice);
    auto side = [&](unsigned N) {
      return N == U.getOperandNo()
                 ? Generic
                 : B.CreateAddrSpaceCast(Choice->getOperand(N), Generic->getType());
    };
    Value *New = B.CreateSelect(Choice->getCondition(), side(1), side(2));
    for (Use &Next : make_early_inc_range(Choice->uses()))
      makeGeneric(Next, New);
  } else if (At && !At->getType()->isVectorTy()) {
    Instruction *New = At->clone();
    New->setOperand(0, Generic);
    New->mutateType(Generic->getType());
    New->insertBefore(At->getIterator());
    for (Use &Next : make_early_inc_range(At->uses()))
      makeGeneric(Next, New);
  }
  if (isInstructionTriviallyDead(I))
    I->eraseFromParent();
}

void makeConstantMemoryGeneric(Function &F) {
  const Accelerator *Machine = acceleratorOf(*F.getParent());
  if (!Machine)
    return;
  SmallVector<std::pair<WeakVH, unsigned>, 8> Found;
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands())
      if (leadsToShadowed(*Machine, U))
        Found.push_back({&I, U.getOperandNo()});
  for (auto &[User, Operand] : Found) {
    if (!User)
      continue; // A choice, by its other operand.
    Use &U = cast<Instruction>(User)->getOperandUse(Operand);
    makeGeneric(U, ConstantExpr::getAddrSpaceCast(cast<Constant>(U.get()),
                                                  PointerType::get(F.getContext(), 0)));
  }
}

} // namespace isozyme
