//===- RuntimeReleases.cpp - Memory released after the reverse sweep ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the primal frees is still read (and its shadow added to) by the
// reverse sweep of everything before the free, up to the allocation, which may
// lie in another function. So nothing is freed on the way: the reverse of a free
// puts the memory on a list of the thread, and the outermost derivative releases
// the list when it is done.
//
//   node = { next, pointer, thunk, a, b }
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static StructType *nodeType(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, Ptr, Ptr, I64, I64});
}

static FunctionType *thunkType(LLVMContext &C) {
  Type *I64 = Type::getInt64Ty(C);
  return FunctionType::get(Type::getVoidTy(C), {PointerType::get(C, 0), I64, I64}, false);
}

GlobalVariable *releaseList(Module &M) {
  constexpr const char *Name = "isozyme.release.list";
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  PointerType *Ptr = PointerType::get(M.getContext(), 0);
  auto *G =
      new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage, ConstantPointerNull::get(Ptr),
                         Name, nullptr, GlobalValue::GeneralDynamicTLSModel);
  // To a derivative of the derivative, putting memory on the list is releasing it.
  G->addAttribute(marking::Inactive);
  return G;
}

Function *releaseThunk(Module &M, const CallBase &Free, const Value *Freed) {
  LLVMContext &C = M.getContext();
  auto *Callee = cast<Function>(Free.getCalledOperand()->stripPointerCastsAndAliases());
  std::string Name = ("isozyme.release." + Callee->getName()).str();
  if (Function *F = M.getFunction(Name))
    return F;
  auto *F = Function::Create(thunkType(C), GlobalValue::InternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  SmallVector<Value *, 3> Args;
  unsigned Next = 1;
  for (const Use &U : Free.args()) {
    Type *T = U->getType();
    if (U.get() == Freed)
      Args.push_back(F->getArg(0));
    else if (T->isPointerTy()) // The pool that the memory is from.
      Args.push_back(B.CreateIntToPtr(F->getArg(Next++), T));
    else
      Args.push_back(B.CreateZExtOrTrunc(F->getArg(Next++), T));
  }
  CallInst *Call = B.CreateCall(Free.getFunctionType(), Callee, Args);
  Call->setCallingConv(Free.getCallingConv());
  B.CreateRetVoid();
  return F;
}

Function *releaseLater(Module &M) {
  constexpr const char *Name = "isozyme.release.later";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, I64}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->addFnAttr(marking::Helper);
  F->addFnAttr(marking::ReleasesLater);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Some = BasicBlock::Create(C, "some", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNull(F->getArg(0)), Done, Some);
  B.SetInsertPoint(Some);
  StructType *Node = nodeType(C);
  Value *New =
      B.CreateCall(tapeAllocate(M), {B.getInt64(M.getDataLayout().getTypeAllocSize(Node))});
  Value *List = B.CreateThreadLocalAddress(releaseList(M));
  B.CreateStore(B.CreateLoad(Ptr, List), B.CreateStructGEP(Node, New, 0));
  for (unsigned I = 0; I < 4; ++I)
    B.CreateStore(F->getArg(I), B.CreateStructGEP(Node, New, I + 1));
  B.CreateStore(New, List);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

Function *releaseAll(Module &M) {
  constexpr const char *Name = "isozyme.release.all";
  if (Function *F = M.getFunction(Name))
    return F;
  LLVMContext &C = M.getContext();
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(marking::Inactive);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Loop = BasicBlock::Create(C, "loop", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  StructType *Node = nodeType(C);
  Value *First = B.CreateLoad(B.getPtrTy(), B.CreateThreadLocalAddress(releaseList(M)), "first");
  B.CreateCondBr(B.CreateIsNull(First), Done, Loop);
  B.SetInsertPoint(Loop);
  PHINode *At = B.CreatePHI(B.getPtrTy(), 2, "at");
  SmallVector<Value *, 5> Fields;
  for (unsigned I = 0; I < 5; ++I)
    Fields.push_back(B.CreateLoad(Node->getElementType(I), B.CreateStructGEP(Node, At, I)));
  B.CreateCall(thunkType(C), Fields[2], {Fields[1], Fields[3], Fields[4]});
  releaseTape(B, At);
  At->addIncoming(First, Entry);
  At->addIncoming(Fields[0], Loop);
  B.CreateCondBr(B.CreateIsNull(Fields[0]), Done, Loop);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

} // namespace isozyme
