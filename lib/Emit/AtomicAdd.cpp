//===- AtomicAdd.cpp - Adding to what other threads add to ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   isozyme.add.double(p, x):  if (p is the thread's own) *p += x; else atomicrmw fadd
//
// An address that may lead anywhere may lead to a local variable, too, and there is no atomic
// operation on those. Where it is known to lead elsewhere, the optimiser drops the question.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/AtomicAdd.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static void emitAtomicAdd(IRBuilderBase &B, const Accelerator &Machine, Value *Ptr, Value *X) {
  SyncScope::ID Scope = B.getContext().getOrInsertSyncScopeID(Machine.addingScope());
  Machine.allowNativeAdd(*B.CreateAtomicRMW(AtomicRMWInst::FAdd, Ptr, X, MaybeAlign(),
                                            AtomicOrdering::Monotonic, Scope));
}

/// void (ptr p, float x), for the machine that \p User is compiled for.
static Function *adder(Function &User, const Accelerator &Machine, Type *Float, Type *Ptr) {
  Module &M = *User.getParent();
  LLVMContext &C = M.getContext();
  std::string Name;
  raw_string_ostream(Name) << "isozyme.add." << *Float;
  if (unsigned Space = Ptr->getPointerAddressSpace())
    Name += ".to." + std::to_string(Space);
  if (Function *F = M.getFunction(Name))
    return F;
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Float}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::ServesLaterCallers);
  F->addFnAttr(Attribute::AlwaysInline);
  for (StringRef Kind : {"target-cpu", "target-features"})
    if (Attribute A = User.getFnAttribute(Kind); A.isValid())
      F->addFnAttr(A);
  Value *To = F->getArg(0), *X = F->getArg(1);
  auto *Entry = BasicBlock::Create(C, "entry", F);
  IRBuilder<> B(Entry);
  if (Value *IsOwn = Machine.leadsToOwnMemory(B, To)) {
    auto *Own = BasicBlock::Create(C, "own", F), *Shared = BasicBlock::Create(C, "shared", F);
    B.CreateCondBr(IsOwn, Own, Shared);
    B.SetInsertPoint(Own);
    B.CreateStore(B.CreateFAdd(B.CreateLoad(Float, To), X), To);
    B.CreateRetVoid();
    B.SetInsertPoint(Shared);
  }
  emitAtomicAdd(B, Machine, To, X);
  B.CreateRetVoid();
  return F;
}

void addAtomically(IRBuilderBase &B, Value *Ptr, Value *X) {
  Function &User = *B.GetInsertBlock()->getParent();
  const Accelerator &Machine = *acceleratorOf(*User.getParent());
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  Type *Float = X->getType()->getScalarType();
  Function *Add = adder(User, Machine, Float, Ptr->getType());
  if (!Vector) {
    B.CreateCall(Add, {Ptr, X});
    return;
  }
  for (unsigned E = 0; E < Vector->getNumElements(); ++E)
    B.CreateCall(Add, {B.CreateConstInBoundsGEP1_32(Float, Ptr, E), B.CreateExtractElement(X, E)});
}

} // namespace isozyme
