//===- MirrorPointer.cpp - The shadow of a pointer-valued value -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow memory has the layout of primal memory, so a shadow pointer is computed
// by the very instruction that computes the primal one, on shadow operands; and
// memory that the function makes is made a second time, filled with zero.
//
// In: one instruction of the prepared function and the maps of its operands.
// Out: its shadow, at the builder's place. Never: decides whether one is needed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/MirrorPointer.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/Mirror.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/TargetRuntime.h"
#include "isozyme/Values/ShadowAlignment.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

/// `x.shadow` for pointers, `x.tan` for what moves as floats.
static std::string shadowName(const Instruction &I) {
  if (!I.hasName())
    return "";
  return (I.getName() + (I.getType()->isPtrOrPtrVectorTy() ? ".shadow" : ".tan")).str();
}

/// Puts \p New in place; keeps only metadata that holds for shadow memory too.
/// What promises values (range, nonnull, noundef, invariant.load) or aliasing
/// (scopes) was derived from the primal's accesses alone.
static Value *place(IRBuilderBase &B, Instruction *New, const Instruction &Like) {
  New->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_access_group,
                                    LLVMContext::MD_nontemporal, LLVMContext::MD_unpredictable});
  B.Insert(New, shadowName(Like));
  New->setDebugLoc(B.getCurrentDebugLocation());
  return New;
}

static Value *mirrorInstruction(IRBuilderBase &B, Instruction &I, ValueLookup Primal,
                                ValueLookup Shadow) {
  // Operands first: the lookups may emit (recomputation in a reverse sweep).
  SmallVector<Value *, 4> Operands;
  for (Use &U : I.operands()) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && !Call->isArgOperand(&U)) {
      Operands.push_back(U.get());
      continue;
    }
    bool Mirrored = isMirroredOperand(I, U.getOperandNo());
    Operands.push_back(Mirrored ? Shadow(U.get()) : Primal(U.get()));
  }
  Instruction *New = I.clone();
  alignAsShadow(*New, I);
  for (auto [Number, V] : enumerate(Operands))
    New->setOperand(Number, V);
  return place(B, New, I);
}

/// %a.shadow = alloca T          (in the entry block)
/// store T zeroinitializer, ptr %a.shadow, or memset for arrays and structs
static Value *mirrorAlloca(IRBuilderBase &B, AllocaInst &I, ValueLookup Primal) {
  Function &F = *B.GetInsertBlock()->getParent();
  const DataLayout &DL = F.getDataLayout();
  TypeSize Element = DL.getTypeAllocSize(I.getAllocatedType());
  if (Element.isScalable())
    return nullptr;
  Value *Count = I.isStaticAlloca() ? I.getArraySize() : Primal(I.getArraySize());
  auto *New = cast<AllocaInst>(I.clone());
  New->setOperand(0, Count);
  BasicBlock &Entry = F.getEntryBlock();
  if (I.isStaticAlloca() && B.GetInsertBlock() != &Entry) {
    IRBuilder<>::InsertPointGuard Guard(B);
    B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    place(B, New, I);
  } else {
    place(B, New, I);
  }
  Type *T = I.getAllocatedType();
  if (T->isSingleValueType() && !I.isArrayAllocation()) {
    B.CreateAlignedStore(Constant::getNullValue(T), New, I.getAlign());
    return New;
  }
  Value *Bytes =
      B.CreateMul(B.CreateZExtOrTrunc(Count, B.getInt64Ty()), B.getInt64(Element.getFixedValue()));
  B.CreateMemSet(New, B.getInt8(0), Bytes, I.getAlign());
  return New;
}

/// %p = call ptr @malloc(i64 %n)         ->  %p.shadow = call ptr @calloc(i64 1, i64 %n)
/// %p = call ptr @valloc(i64 %n)         ->  %p.shadow = call ptr @valloc(i64 %n)
///                                           call void @llvm.memset(ptr %p.shadow, i8 0, i64 %n)
/// Nothing is zeroed where an allocation has failed.
static Value *mirrorAllocation(IRBuilderBase &B, const PreparedFunction &P, CallBase &I,
                               ValueLookup Primal) {
  SmallVector<Value *, 4> Operands;
  for (Value *V : I.args())
    Operands.push_back(Primal(V));
  if (isPlainMalloc(I, P.libraryInfo())) {
    CallInst *New = targetRuntime(*I.getModule()).allocateZeroed(B, Operands[0], shadowName(I));
    New->addRetAttr(Attribute::NoAlias);
    New->setDoesNotThrow();
    return New;
  }
  auto *New = cast<CallBase>(I.clone());
  for (auto [Number, V] : enumerate(Operands))
    New->setArgOperand(Number, V);
  place(B, New, I);

  std::optional<AllocationSize> Size = allocationSize(I, P.libraryInfo());
  if (Size->Zeroed)
    return New;
  auto Factor = [&](unsigned Operand) {
    return B.CreateZExtOrTrunc(New->getArgOperand(Operand), B.getInt64Ty());
  };
  Value *Bytes = Factor(Size->Bytes);
  if (Size->Count)
    Bytes = B.CreateMul(Bytes, Factor(*Size->Count));
  if (!New->isReturnNonNull())
    Bytes = B.CreateSelect(B.CreateIsNull(New), B.getInt64(0), Bytes);
  B.CreateMemSet(New, B.getInt8(0), Bytes, New->getRetAlign());
  return New;
}

Value *mirrorPointer(IRBuilderBase &B, const PreparedFunction &P, Instruction &I,
                     ValueLookup Primal, ValueLookup Shadow) {
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    return mirrorAlloca(B, *Alloca, Primal);
  if (isMirrored(I))
    return mirrorInstruction(B, I, Primal, Shadow);
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && allocationSize(*Call, P.libraryInfo()))
    return mirrorAllocation(B, P, *Call, Primal);
  return nullptr;
}

void stateLayout(StringRef Text, Instruction &Made) {
  if (Text.empty() || Made.hasMetadata(marking::Type))
    return;
  LLVMContext &C = Made.getContext();
  Made.setMetadata(marking::Type, MDNode::get(C, MDString::get(C, Text)));
}

static Constant *shadowOf(Constant &C, ShadowUse Use, ShadowIndex Index);

static std::string nameOfShadow(const GlobalVariable &G, StringRef Suffix, ShadowIndex Index) {
  std::string Name = (G.getName() + Suffix).str();
  if (Index.Lane)
    Name += "." + std::to_string(Index.Lane);
  if (Index.Level)
    Name += ".level" + std::to_string(Index.Level);
  return Name;
}

/// A constant variable: zeros, and shadows in the place of addresses.
static Constant *companionOf(GlobalVariable &G, ShadowUse Use, ShadowIndex Index) {
  if (!G.hasDefinitiveInitializer() || G.isThreadLocal())
    return &G;
  Module &M = *G.getParent();
  bool IsConstant = Use == ShadowUse::Zeros;
  std::string Name = nameOfShadow(G, IsConstant ? ".shadow" : ".scratch",
                                  containsPointer(G.getValueType()) ? Index : ShadowIndex());
  GlobalVariable *Known = G.hasName() ? M.getGlobalVariable(Name, /*AllowInternal=*/true) : nullptr;
  if (Known && Known->isConstant() == IsConstant && Known->hasPrivateLinkage() &&
      Known->getValueType() == G.getValueType())
    return Known;
  auto *Shadow = new GlobalVariable(M, G.getValueType(), IsConstant, GlobalValue::PrivateLinkage,
                                    Constant::getNullValue(G.getValueType()), Name, &G,
                                    GlobalValue::NotThreadLocal, G.getAddressSpace());
  Shadow->setAlignment(G.getAlign());
  markCompanion(*Shadow);
  Shadow->setInitializer(shadowOf(*G.getInitializer(), Use, Index));
  return Shadow;
}

GlobalVariable *automaticShadow(GlobalVariable &G, ShadowIndex Index) {
  Module &M = *G.getParent();
  std::string Name = nameOfShadow(G, ".shadow", Index);
  GlobalVariable *Known = G.hasName() ? M.getGlobalVariable(Name, /*AllowInternal=*/true) : nullptr;
  if (Known && !Known->isConstant() && Known->hasInternalLinkage() &&
      Known->getValueType() == G.getValueType())
    return Known;
  // Memory of a block holds anything when it begins, and may not say otherwise.
  bool IsOfLaunch = isSizedByLaunch(G);
  bool IsAnything = IsOfLaunch || (G.hasInitializer() && isa<UndefValue>(G.getInitializer()));
  Type *T = G.getValueType();
  auto *Shadow = new GlobalVariable(M, T, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                    IsAnything ? static_cast<Constant *>(UndefValue::get(T))
                                               : Constant::getNullValue(T),
                                    Name, &G, G.getThreadLocalMode(), G.getAddressSpace());
  Shadow->setAlignment(G.getAlign());
  if (IsOfLaunch)
    markLaunchShadow(*Shadow, G);
  markShadow(*Shadow, Index.Level);
  return Shadow;
}

static Constant *shadowOfGlobal(GlobalVariable &G, ShadowUse Use, ShadowIndex Index) {
  switch (shadowKindOf(G)) {
  case GlobalShadow::Mirrored:
    return companionOf(G, Use, Index);
  case GlobalShadow::Automatic:
    return automaticShadow(G, Index);
  case GlobalShadow::Explicit:
    return explicitShadow(G, Index.Lane);
  case GlobalShadow::Inactive:
  case GlobalShadow::Missing:
    return &G;
  }
  llvm_unreachable("complete switch");
}

static Constant *shadowOfAggregate(ConstantAggregate &C, ShadowUse Use, ShadowIndex Index) {
  SmallVector<Constant *, 8> Members;
  for (Value *Operand : C.operand_values())
    Members.push_back(shadowOf(*cast<Constant>(Operand), Use, Index));
  if (auto *S = dyn_cast<StructType>(C.getType()))
    return ConstantStruct::get(S, Members);
  if (auto *A = dyn_cast<ArrayType>(C.getType()))
    return ConstantArray::get(A, Members);
  return ConstantVector::get(Members);
}

static Constant *shadowOf(Constant &C, ShadowUse Use, ShadowIndex Index) {
  if (isa<UndefValue, ConstantPointerNull, ConstantAggregateZero, Function>(C))
    return &C;
  if (auto *G = dyn_cast<GlobalVariable>(&C))
    return shadowOfGlobal(*G, Use, Index);
  if (auto *A = dyn_cast<GlobalAlias>(&C))
    return shadowOf(*A->getAliasee(), Use, Index);
  if (auto *A = dyn_cast<ConstantAggregate>(&C))
    return shadowOfAggregate(*A, Use, Index);
  auto *E = dyn_cast<ConstantExpr>(&C);
  if (!E || !E->getType()->isPtrOrPtrVectorTy())
    return Constant::getNullValue(C.getType()); // A number.
  // A GEP or address space cast of a global, or a number that is cast to a pointer.
  if (E->getOpcode() == Instruction::IntToPtr)
    return Constant::getNullValue(C.getType());
  SmallVector<Constant *, 4> Operands{shadowOf(*E->getOperand(0), Use, Index)};
  for (Value *Operand : drop_begin(E->operand_values()))
    Operands.push_back(cast<Constant>(Operand));
  return E->getWithOperands(Operands);
}

Constant *shadowOfConstant(Constant &C, ShadowUse Use, ShadowIndex Index) {
  return shadowOf(C, Use, Index);
}

} // namespace isozyme
