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

namespace {
enum class Access : uint8_t { Add, Take };
} // namespace

static AtomicRMWInst *emitAtomic(IRBuilderBase &B, const Accelerator &Machine, Access What,
                                 Value *Ptr, Value *X) {
  SyncScope::ID Scope = B.getContext().getOrInsertSyncScopeID(Machine.addingScope());
  AtomicRMWInst *New =
      B.CreateAtomicRMW(What == Access::Add ? AtomicRMWInst::FAdd : AtomicRMWInst::Xchg, Ptr, X,
                        MaybeAlign(), AtomicOrdering::Monotonic, Scope);
  Machine.allowNativeAdd(*New);
  return New;
}

/// float (ptr p, float x), for the machine that \p User is compiled for: what was there, and now x
/// is added, or stands there instead.
static Function *accessor(Function &User, const Accelerator &Machine, Access What, Type *Float,
                          Type *Ptr) {
  Module &M = *User.getParent();
  LLVMContext &C = M.getContext();
  std::string Name;
  raw_string_ostream(Name) << (What == Access::Add ? "isozyme.add." : "isozyme.take.") << *Float;
  if (unsigned Space = Ptr->getPointerAddressSpace())
    Name += ".to." + std::to_string(Space);
  if (Function *F = M.getFunction(Name))
    return F;
  auto *F = Function::Create(FunctionType::get(Float, {Ptr, Float}, false),
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
    Value *Old = B.CreateLoad(Float, To);
    B.CreateStore(What == Access::Add ? B.CreateFAdd(Old, X) : X, To);
    B.CreateRet(Old);
    B.SetInsertPoint(Shared);
  }
  B.CreateRet(emitAtomic(B, Machine, What, To, X));
  return F;
}

static Function *accessor(IRBuilderBase &B, Access What, Type *T, Value *Ptr) {
  Function &User = *B.GetInsertBlock()->getParent();
  return accessor(User, *acceleratorOf(*User.getParent()), What, T->getScalarType(),
                  Ptr->getType());
}

void addAtomically(IRBuilderBase &B, Value *Ptr, Value *X) {
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  Type *Float = X->getType()->getScalarType();
  Function *Add = accessor(B, Access::Add, Float, Ptr);
  if (!Vector) {
    B.CreateCall(Add, {Ptr, X});
    return;
  }
  for (unsigned E = 0; E < Vector->getNumElements(); ++E)
    B.CreateCall(Add, {B.CreateConstInBoundsGEP1_32(Float, Ptr, E), B.CreateExtractElement(X, E)});
}

Value *takeAtomically(IRBuilderBase &B, Value *Ptr, Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  Type *Float = T->getScalarType();
  Function *Take = accessor(B, Access::Take, Float, Ptr);
  Value *Zero = Constant::getNullValue(Float);
  if (!Vector)
    return B.CreateCall(Take, {Ptr, Zero});
  Value *All = PoisonValue::get(T);
  for (unsigned E = 0; E < Vector->getNumElements(); ++E) {
    Value *At = B.CreateConstInBoundsGEP1_32(Float, Ptr, E);
    All = B.CreateInsertElement(All, B.CreateCall(Take, {At, Zero}), E);
  }
  return All;
}

/// float (i1 when, ptr p), around the one that takes.
static Function *conditionalTaker(Function &User, Type *T, Type *Ptr) {
  Module &M = *User.getParent();
  Function *Take = accessor(User, *acceleratorOf(M), Access::Take, T, Ptr);
  std::string Name = (Take->getName() + ".where").str();
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  auto *F = Function::Create(FunctionType::get(T, {Type::getInt1Ty(C), Ptr}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setAttributes(Take->getAttributes());
  auto *Entry = BasicBlock::Create(C, "entry", F), *There = BasicBlock::Create(C, "there", F),
       *Else = BasicBlock::Create(C, "else", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(F->getArg(0), There, Else);
  B.SetInsertPoint(There);
  B.CreateRet(B.CreateCall(Take, {F->getArg(1), Constant::getNullValue(T)}));
  B.SetInsertPoint(Else);
  B.CreateRet(Constant::getNullValue(T));
  return F;
}

Value *takeAtomicallyWhere(IRBuilderBase &B, Value *When, Value *Ptr, Type *T) {
  Function &User = *B.GetInsertBlock()->getParent();
  return B.CreateCall(conditionalTaker(User, T, Ptr->getType()), {When, Ptr});
}

} // namespace isozyme
