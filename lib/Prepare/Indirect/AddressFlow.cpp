//===- AddressFlow.cpp - Where the address of a function goes -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressFlow.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

bool asksForDerivative(const Use &U, const CallBase &Call) {
  return calledEntryPoint(Call) && Call.isArgOperand(&U) &&
         Call.getArgOperandNo(&U) == functionOperandNumber(Call);
}

AddressFlow::AddressFlow(const CallBase &Call, FunctionsOf Functions)
    : Call(Call), Functions(Functions), NoLibrary(Call.getModule()->getTargetTriple()),
      Library(NoLibrary), ByType(/*UsingTypeSanitizer=*/false), AA(Library) {
  AA.addAAResult(ByType);
}

bool AddressFlow::reaches(const Function &F) {
  if (!F.hasLocalLinkage())
    return true;
  Work.clear();
  Written.clear();
  add(F, Target);
  for (unsigned K = 0; K != Work.size(); ++K) {
    auto [V, R] = Work[K];
    if (K == MaxValues || any_of(V->uses(), [&, R = R](const Use &U) { return follow(U, R); }))
      return true;
  }
  return false;
}

bool AddressFlow::followCall(const Use &U, const CallBase &By, Role R) {
  if (By.isCallee(&U))
    return &By == &Call;
  if (By.isLifetimeStartOrEnd() || asksForDerivative(U, By) || isForRuntime(U))
    return false;
  if (const Function *Callee = By.getCalledFunction())
    return followInto(*Callee, U, By, R);
  ArrayRef<Function *> Callees = Functions(By.getFunctionType());
  return Callees.empty() ||
         any_of(Callees, [&](const Function *F) { return followInto(*F, U, By, R); });
}

bool AddressFlow::followInto(const Function &Callee, const Use &U, const CallBase &By, Role R) {
  if (R == Target && Callee.isDeclaration() && By.isArgOperand(&U) &&
      By.doesNotCapture(By.getArgOperandNo(&U)))
    return false; // It is not kept; and where it is called, then not from here.
  bool IsSeen = !Callee.isDeclaration() && !Callee.isInterposable() &&
                Callee.getFunctionType() == By.getFunctionType() && By.isArgOperand(&U) &&
                By.getArgOperandNo(&U) < Callee.arg_size();
  return !IsSeen || add(*Callee.getArg(By.getArgOperandNo(&U)), R);
}

/// \p I reads memory that the address may lie in.
bool AddressFlow::followReading(const Instruction &I) {
  Type *T = I.getType();
  if (isa<LoadInst>(I) && T->isPointerTy())
    return add(I, Target);
  const DataLayout &DL = I.getDataLayout();
  return !T->isFPOrFPVectorTy() && DL.getTypeSizeInBits(T) >= DL.getPointerSizeInBits();
}

ArrayRef<const Instruction *> AddressFlow::readersOf(const StoreInst &Store) {
  if (!Reading) {
    Reading.emplace();
    for (const Function &F : *Call.getModule())
      for (const Instruction &I : instructions(F))
        if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
          Reading->push_back(&I);
  }
  auto [It, New] = Readers.try_emplace(Store.getMetadata(LLVMContext::MD_tbaa));
  if (New) {
    MemoryLocation There = MemoryLocation::get(&Store);
    copy_if(*Reading, std::back_inserter(It->second),
            [&](const Instruction *I) { return !AA.isNoAlias(MemoryLocation::get(I), There); });
  }
  return It->second;
}

bool AddressFlow::followStore(const StoreInst &Store) {
  const MDNode *Tag = Store.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag)
    return true;
  return Written.insert(Tag).second &&
         any_of(readersOf(Store), [&](const Instruction *I) { return followReading(*I); });
}

bool AddressFlow::followReturn(const Function &From, Role R) {
  return !From.hasLocalLinkage() || any_of(From.uses(), [&](const Use &U) {
    auto *By = dyn_cast<CallBase>(U.getUser());
    return !By || !By->isCallee(&U) || add(*By, R);
  });
}

bool AddressFlow::follow(const Use &U, Role R) {
  const User *By = U.getUser();
  if (auto *Other = dyn_cast<CallBase>(By))
    return followCall(U, *Other, R);
  if (auto *G = dyn_cast<GlobalVariable>(By)) {
    if (isConventionName(G->getName()) || G->getName().starts_with("llvm."))
      return false;
    return !G->hasLocalLinkage() || add(*G, Memory);
  }
  // Nothing is read from where code lies; tables lead to others.
  if (auto *Load = dyn_cast<LoadInst>(By))
    return R == Memory &&
           (followReading(*Load) || (Load->getType()->isPointerTy() && add(*Load, R)));
  if (auto *Store = dyn_cast<StoreInst>(By))
    return U.getOperandNo() == 0 && (R == Memory || followStore(*Store));
  if (isa<ReturnInst>(By))
    return followReturn(*cast<Instruction>(By)->getFunction(), R);
  if (isa<GEPOperator, PHINode, SelectInst, ConstantAggregate>(By))
    return add(*By, R);
  return !isa<ICmpInst>(By);
}

} // namespace isozyme
