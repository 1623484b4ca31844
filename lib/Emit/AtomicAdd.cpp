//===- AtomicAdd.cpp - Adding to what other threads add to ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   isozyme.add.double(p, x):  if (p is the thread's own) *p += x; else atomicrmw fadd
//
// Where all threads of a warp may add to one number, they would wait for each other:
//
//   isozyme.add.once.for.warp.double(p, x):
//     if (p is the thread's own) *p += x;
//     else if (all threads of the warp are here, with the same p) the first adds the sum of all x
//     else atomicrmw fadd
//
// An address that may lead anywhere may lead to a local variable, too, and there is no atomic
// operation on those. Where it is known to lead elsewhere, the optimiser drops the question.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/AtomicAdd.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {
enum class Access : uint8_t { Add, AddOnceForWarp, Take };
} // namespace

static StringRef nameOf(Access What) {
  switch (What) {
  case Access::Add:
    return "isozyme.add.";
  case Access::AddOnceForWarp:
    return "isozyme.add.once.for.warp.";
  case Access::Take:
    return "isozyme.take.";
  }
  llvm_unreachable("complete switch");
}

static AtomicRMWInst *emitAtomic(IRBuilderBase &B, const Accelerator &Machine, Access What,
                                 Value *Ptr, Value *X) {
  SyncScope::ID Scope = B.getContext().getOrInsertSyncScopeID(Machine.addingScope());
  AtomicRMWInst *New =
      B.CreateAtomicRMW(What == Access::Take ? AtomicRMWInst::Xchg : AtomicRMWInst::FAdd, Ptr, X,
                        MaybeAlign(), AtomicOrdering::Monotonic, Scope);
  Machine.allowNativeAdd(*New);
  return New;
}

/// Goes on in a block of its own where \p Is holds; else in \p Otherwise.
static void onlyWhere(IRBuilderBase &B, Value *Is, BasicBlock &Otherwise, const Twine &Name) {
  auto *There = BasicBlock::Create(B.getContext(), Name, Otherwise.getParent(), &Otherwise);
  B.CreateCondBr(Is, There, &Otherwise);
  B.SetInsertPoint(There);
}

/// Goes on at the end of a block where a thread adds what the result says to \p To: what all
/// threads of the warp have, if they are here with one address, and it is the first of them; else
/// its own \p X.
static Value *sumOfWarp(IRBuilderBase &B, const Accelerator &Machine, Value *To, Value *X) {
  Function &F = *B.GetInsertBlock()->getParent();
  const WarpSums *Sums = Machine.sumsOfWarp(F);
  if (!Sums)
    return X;
  auto *Each = BasicBlock::Create(B.getContext(), "each", &F),
       *Rest = BasicBlock::Create(B.getContext(), "rest", &F);
  BasicBlock *Alone = B.GetInsertBlock();
  onlyWhere(B, Sums->isWhole(B), *Each, "whole");
  BasicBlock *Apart = B.GetInsertBlock();
  onlyWhere(B, Sums->isSame(B, B.CreatePtrToInt(To, B.getInt64Ty())), *Each, "together");
  Value *Sum = X;
  for (unsigned Bit = Machine.mostLanes() / 2; Bit; Bit /= 2)
    Sum = B.CreateFAdd(
        Sum, byWords(B, Sum, [&](Value *Word) { return Sums->fromPartner(B, Word, Bit); }));
  onlyWhere(B, B.CreateICmpEQ(Machine.lane(B), B.getInt32(0)), *Rest, "first");
  BasicBlock *First = B.GetInsertBlock();
  B.CreateBr(Each);
  IRBuilder<>(Rest).CreateRet(PoisonValue::get(X->getType()));
  B.SetInsertPoint(Each);
  PHINode *Share = B.CreatePHI(X->getType(), 3);
  for (auto [V, From] : {std::pair(X, Alone), {X, Apart}, {Sum, First}})
    Share->addIncoming(V, From);
  return Share;
}

/// float (ptr p, float x), for the machine that \p User is compiled for: what was there, and now x
/// is added, or stands there instead.
static Function *accessor(Function &User, const Accelerator &Machine, Access What, Type *Float,
                          Type *Ptr) {
  Module &M = *User.getParent();
  LLVMContext &C = M.getContext();
  std::string Name;
  raw_string_ostream(Name) << nameOf(What) << *Float;
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
    B.CreateStore(What == Access::Take ? X : B.CreateFAdd(Old, X), To);
    B.CreateRet(Old);
    B.SetInsertPoint(Shared);
  }
  if (What == Access::AddOnceForWarp) {
    F->setConvergent();
    X = sumOfWarp(B, Machine, To, X);
  }
  B.CreateRet(emitAtomic(B, Machine, What, To, X));
  return F;
}

static Function *accessor(IRBuilderBase &B, Access What, Type *T, Value *Ptr) {
  Function &User = *B.GetInsertBlock()->getParent();
  return accessor(User, *acceleratorOf(*User.getParent()), What, T->getScalarType(),
                  Ptr->getType());
}

void addAtomically(IRBuilderBase &B, Value *Ptr, Value *X, bool OnceForWarp) {
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  Type *Float = X->getType()->getScalarType();
  Function *Add = accessor(B, OnceForWarp ? Access::AddOnceForWarp : Access::Add, Float, Ptr);
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
