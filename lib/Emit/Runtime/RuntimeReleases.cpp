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
//   batch = { batch below, count, entry * EntriesOfBatch }    entry = { pointer, thunk, a, b }
//
// Programs with many small blocks put off as many releases, of the memory and of its shadow: memory
// for each entry would double the calls of malloc.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// As many as there are in 1 KB, which malloc still takes from the blocks at hand.
constexpr uint64_t EntriesOfBatch = 31;

static StructType *entryType(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, Ptr, I64, I64});
}

namespace {
enum BatchField : uint8_t { BatchBelow, BatchCount, BatchEntries };
} // namespace

static StructType *batchType(LLVMContext &C) {
  return StructType::get(C, {PointerType::get(C, 0), Type::getInt64Ty(C),
                             ArrayType::get(entryType(C), EntriesOfBatch)});
}

static Value *entryAddress(IRBuilder<> &B, Value *Batch, Value *Index) {
  return B.CreateInBoundsGEP(batchType(B.getContext()), Batch,
                             {B.getInt64(0), B.getInt32(BatchEntries), Index}, "entry");
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

/// The batch on top of the list, which has room for one more entry.
static Value *openBatch(IRBuilder<> &B, Module &M, Function &F) {
  LLVMContext &C = M.getContext();
  auto *Look = BasicBlock::Create(C, "look", &F), *Full = BasicBlock::Create(C, "full", &F),
       *Open = BasicBlock::Create(C, "open", &F);
  StructType *Batch = batchType(C);
  Value *List = B.CreateThreadLocalAddress(releaseList(M));
  Value *Top = B.CreateLoad(B.getPtrTy(), List, "top");
  B.CreateCondBr(B.CreateIsNull(Top), Full, Look);
  B.SetInsertPoint(Look);
  Value *Number = B.CreateLoad(B.getInt64Ty(), B.CreateStructGEP(Batch, Top, BatchCount), "count");
  B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt64(EntriesOfBatch)), Full, Open);
  B.SetInsertPoint(Full);
  Value *New =
      B.CreateCall(tapeAllocate(M), {B.getInt64(M.getDataLayout().getTypeAllocSize(Batch))});
  B.CreateStore(Top, B.CreateStructGEP(Batch, New, BatchBelow));
  B.CreateStore(B.getInt64(0), B.CreateStructGEP(Batch, New, BatchCount));
  B.CreateStore(New, List);
  B.CreateBr(Open);
  B.SetInsertPoint(Open);
  PHINode *At = B.CreatePHI(B.getPtrTy(), 2, "batch");
  At->addIncoming(Top, Look);
  At->addIncoming(New, Full);
  return At;
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
  F->addFnAttr(Attribute::NoInline); // It is called for each release, and always the same.
  F->addFnAttr(marking::Helper);
  F->addFnAttr(marking::ReleasesLater);
  auto *Entry = BasicBlock::Create(C, "entry", F), *Some = BasicBlock::Create(C, "some", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNull(F->getArg(0)), Done, Some);
  B.SetInsertPoint(Some);
  Value *Batch = openBatch(B, M, *F);
  Value *CountAt = B.CreateStructGEP(batchType(C), Batch, BatchCount);
  Value *Number = B.CreateLoad(I64, CountAt, "count");
  Value *At = entryAddress(B, Batch, Number);
  for (unsigned I = 0; I < 4; ++I)
    B.CreateStore(F->getArg(I), B.CreateStructGEP(entryType(C), At, I));
  B.CreateStore(B.CreateAdd(Number, B.getInt64(1)), CountAt);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

void createReleaseLater(IRBuilderBase &B, const CallBase &Free, const Value *Freed,
                        ArrayRef<Value *> Operands, ArrayRef<Value *> Shadows) {
  Module &M = *B.GetInsertBlock()->getModule();
  SmallVector<Value *, 3> Others;
  Value *Memory = nullptr;
  for (auto [Own, Operand] : zip_equal(Free.args(), Operands))
    if (Own.get() == Freed)
      Memory = Operand;
    else
      Others.push_back(Operand);
  // In a derivative's derivative the call may be one that puts memory on the list.
  if (Free.getCalledFunction() != releaseLater(M)) {
    for (Value *&Other : Others)
      Other = Other->getType()->isPointerTy() ? B.CreatePtrToInt(Other, B.getInt64Ty())
                                              : B.CreateZExtOrTrunc(Other, B.getInt64Ty());
    Others.resize(2, B.getInt64(0));
    Others.insert(Others.begin(), releaseThunk(M, Free, Freed));
  }
  auto PutOff = [&](Value *Released) {
    CallInst *Call = B.CreateCall(releaseLater(M), {Released, Others[0], Others[1], Others[2]});
    if (Free.hasFnAttr(marking::TapeMemory))
      Call->addFnAttr(Attribute::get(B.getContext(), marking::TapeMemory));
  };
  for (Value *Shadow : Shadows)
    PutOff(B.CreateSelect(B.CreateICmpEQ(Shadow, Memory), Constant::getNullValue(Shadow->getType()),
                          Shadow));
  PutOff(Memory);
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
       *Each = BasicBlock::Create(C, "each", F), *Empty = BasicBlock::Create(C, "empty", F),
       *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  StructType *Batch = batchType(C);
  Value *First = B.CreateLoad(B.getPtrTy(), B.CreateThreadLocalAddress(releaseList(M)), "first");
  B.CreateCondBr(B.CreateIsNull(First), Done, Loop);
  B.SetInsertPoint(Loop); // A batch on the list has an entry.
  PHINode *At = B.CreatePHI(B.getPtrTy(), 2, "at");
  At->addIncoming(First, Entry);
  Value *Number = B.CreateLoad(B.getInt64Ty(), B.CreateStructGEP(Batch, At, BatchCount), "count");
  B.CreateBr(Each);
  B.SetInsertPoint(Each); // The last one first.
  PHINode *Left = B.CreatePHI(B.getInt64Ty(), 2, "left");
  Value *Index = B.CreateSub(Left, B.getInt64(1));
  Left->addIncoming(Number, Loop);
  Left->addIncoming(Index, Each);
  Value *Of = entryAddress(B, At, Index);
  SmallVector<Value *, 4> Fields;
  for (unsigned I = 0; I < 4; ++I)
    Fields.push_back(
        B.CreateLoad(entryType(C)->getElementType(I), B.CreateStructGEP(entryType(C), Of, I)));
  B.CreateCall(thunkType(C), Fields[1], {Fields[0], Fields[2], Fields[3]});
  B.CreateCondBr(B.CreateIsNull(Index), Empty, Each);
  B.SetInsertPoint(Empty);
  Value *Next = B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(Batch, At, BatchBelow), "below");
  releaseTape(B, At);
  At->addIncoming(Next, Empty);
  B.CreateCondBr(B.CreateIsNull(Next), Done, Loop);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

} // namespace isozyme
