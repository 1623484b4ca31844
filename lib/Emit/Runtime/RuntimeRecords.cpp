//===- RuntimeRecords.cpp - A log of 64-bit words -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is written from the start to the end and read in the same order. It owns the
// records of calls, which are in a list, and memory that the function has released, in
// another one: { words, count, room, next, child, sibling, released }. The replay knows
// memory without derivatives by its address, which must not be given to a shadow.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

enum Field : unsigned { Words, Count, Room, Next, Child, Sibling, Released };

static StructType *recordType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, I64, I64, I64, Ptr, Ptr, Ptr});
}

/// Memory to release: the one before it, the memory, and what RuntimeReleases calls a thunk.
static StructType *releasedType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, Ptr, Ptr, I64, I64});
}

namespace {
/// A helper being written.
struct Helper {
  Function *F;
  bool Exists;
  IRBuilder<> B;

  Helper(Module &M, StringRef Name, Type *Result, ArrayRef<Type *> Params)
      : F(M.getFunction(Name)), Exists(F), B(M.getContext()) {
    if (Exists)
      return;
    F = Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage,
                         Name, M);
    F->setDoesNotThrow();
    F->addFnAttr(marking::Helper);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  }
  Value *at(Value *Record, Field Which) {
    return B.CreateStructGEP(recordType(B.getContext()), Record, Which);
  }
  Value *load(Value *Record, Field Which) {
    Type *T = recordType(B.getContext())->getElementType(Which);
    return B.CreateLoad(T, at(Record, Which));
  }
  void store(Value *V, Value *Record, Field Which) { B.CreateStore(V, at(Record, Which)); }
  BasicBlock *block(const Twine &Name) { return BasicBlock::Create(B.getContext(), Name, F); }
  Value *word(Value *Record, Value *Number) {
    return B.CreateInBoundsGEP(B.getInt64Ty(), load(Record, Words), {Number});
  }
};
} // namespace

Function *recordNew(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Helper H(M, "isozyme.record.create", Ptr, {});
  if (H.Exists)
    return H.F;
  uint64_t Bytes = M.getDataLayout().getTypeAllocSize(recordType(M.getContext()));
  Value *New = H.B.CreateCall(tapeAllocate(M), {H.B.getInt64(Bytes)});
  H.B.CreateMemSet(New, H.B.getInt8(0), Bytes, Align(8));
  H.B.CreateRet(New);
  return H.F;
}

/// Reserves the next \p Length words of \p Record: where they are.
static Value *reserve(Helper &H, Value *Record, Value *Length) {
  Module &M = *H.F->getParent();
  BasicBlock *Grow = H.block("grow"), *Fits = H.block("fits");
  Value *Used = H.load(Record, Count), *Space = H.load(Record, Room);
  Value *Wanted = H.B.CreateAdd(Used, Length);
  H.B.CreateCondBr(H.B.CreateICmpUGT(Wanted, Space), Grow, Fits);
  H.B.SetInsertPoint(Grow);
  Value *More = H.B.CreateAdd(H.B.CreateShl(Wanted, 1), H.B.getInt64(16));
  Value *New = H.B.CreateCall(tapeAllocate(M), {H.B.CreateShl(More, 3)});
  Value *Old = H.load(Record, Words);
  H.B.CreateMemCpy(New, Align(8), Old, Align(8), H.B.CreateShl(Used, 3));
  releaseTape(H.B, Old);
  H.store(New, Record, Words);
  H.store(More, Record, Room);
  H.B.CreateBr(Fits);
  H.B.SetInsertPoint(Fits);
  H.store(Wanted, Record, Count);
  return H.word(Record, Used);
}

/// Takes the next \p Length words of \p Record: where they are.
static Value *take(Helper &H, Value *Record, Value *Length) {
  Value *At = H.load(Record, Next);
  H.store(H.B.CreateAdd(At, Length), Record, Next);
  return H.word(Record, At);
}

Function *recordWrite(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.write", Type::getVoidTy(C), {Ptr, Ptr, I64});
  if (H.Exists)
    return H.F;
  Value *Length = H.F->getArg(2), *To = reserve(H, H.F->getArg(0), Length);
  H.B.CreateMemCpy(To, Align(8), H.F->getArg(1), Align(8), H.B.CreateShl(Length, 3));
  H.B.CreateRetVoid();
  return H.F;
}

Function *recordRead(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.read", Type::getVoidTy(C), {Ptr, Ptr, I64});
  if (H.Exists)
    return H.F;
  Value *Length = H.F->getArg(2), *From = take(H, H.F->getArg(0), Length);
  H.B.CreateMemCpy(H.F->getArg(1), Align(8), From, Align(8), H.B.CreateShl(Length, 3));
  H.B.CreateRetVoid();
  return H.F;
}

Function *recordRoom(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext()), *I64 = Type::getInt64Ty(M.getContext());
  Helper H(M, "isozyme.record.room", Ptr, {Ptr, I64});
  if (!H.Exists)
    H.B.CreateRet(reserve(H, H.F->getArg(0), H.F->getArg(1)));
  return H.F;
}

Function *recordTake(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext()), *I64 = Type::getInt64Ty(M.getContext());
  Helper H(M, "isozyme.record.take", Ptr, {Ptr, I64});
  if (!H.Exists)
    H.B.CreateRet(take(H, H.F->getArg(0), H.F->getArg(1)));
  return H.F;
}

Function *recordChild(Module &M) {
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Helper H(M, "isozyme.record.child", Ptr, {Ptr});
  if (H.Exists)
    return H.F;
  Value *Record = H.F->getArg(0);
  Value *New = H.B.CreateCall(recordNew(M), {});
  H.store(H.load(Record, Child), New, Sibling);
  H.store(New, Record, Child);
  AllocaInst *Slot = H.B.CreateAlloca(Ptr);
  Slot->setAlignment(Align(8));
  H.B.CreateStore(New, Slot);
  H.B.CreateCall(recordWrite(M), {Record, Slot, H.B.getInt64(1)});
  H.B.CreateRet(New);
  return H.F;
}

Function *recordPutOff(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.put.off", Type::getVoidTy(C), {Ptr, Ptr, Ptr, I64, I64});
  if (H.Exists)
    return H.F;
  StructType *Node = releasedType(C);
  Value *Record = H.F->getArg(0);
  uint64_t Bytes = M.getDataLayout().getTypeAllocSize(Node);
  Value *New = H.B.CreateCall(tapeAllocate(M), {H.B.getInt64(Bytes)});
  H.B.CreateStore(H.load(Record, Released), H.B.CreateStructGEP(Node, New, 0));
  for (unsigned I = 1; I < 5; ++I)
    H.B.CreateStore(H.F->getArg(I), H.B.CreateStructGEP(Node, New, I));
  H.store(New, Record, Released);
  H.B.CreateRetVoid();
  return H.F;
}

Function *releaseLocalThunk(Module &M) {
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.release.local", Type::getVoidTy(C),
           {PointerType::getUnqual(C), I64, I64});
  if (H.Exists)
    return H.F;
  releaseTape(H.B, H.F->getArg(0));
  H.B.CreateRetVoid();
  return H.F;
}

/// void (ptr node): releases the memory of this node and of those before it.
static Function *releaseNodes(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.release.memory", Type::getVoidTy(C), {Ptr});
  if (H.Exists)
    return H.F;
  BasicBlock *Loop = H.block("loop"), *Done = H.block("done");
  StructType *Node = releasedType(C);
  Value *First = H.F->getArg(0);
  BasicBlock *Entry = H.B.GetInsertBlock();
  H.B.CreateCondBr(H.B.CreateIsNull(First), Done, Loop);
  H.B.SetInsertPoint(Loop);
  PHINode *At = H.B.CreatePHI(Ptr, 2, "at");
  SmallVector<Value *, 5> Fields;
  for (unsigned I = 0; I < 5; ++I)
    Fields.push_back(H.B.CreateLoad(Node->getElementType(I), H.B.CreateStructGEP(Node, At, I)));
  auto *Thunk = FunctionType::get(Type::getVoidTy(C), {Ptr, I64, I64}, false);
  H.B.CreateCall(Thunk, Fields[2], {Fields[1], Fields[3], Fields[4]});
  releaseTape(H.B, At);
  At->addIncoming(First, Entry);
  At->addIncoming(Fields[0], Loop);
  H.B.CreateCondBr(H.B.CreateIsNull(Fields[0]), Done, Loop);
  H.B.SetInsertPoint(Done);
  H.B.CreateRetVoid();
  return H.F;
}

Function *recordRewind(Module &M) {
  LLVMContext &C = M.getContext();
  Helper H(M, "isozyme.record.rewind", Type::getVoidTy(C), {PointerType::getUnqual(C)});
  if (H.Exists)
    return H.F;
  BasicBlock *Some = H.block("some"), *Done = H.block("done");
  // A function that reads nothing may be given no record.
  H.B.CreateCondBr(H.B.CreateIsNull(H.F->getArg(0)), Done, Some);
  H.B.SetInsertPoint(Some);
  H.store(H.B.getInt64(0), H.F->getArg(0), Next);
  H.B.CreateBr(Done);
  H.B.SetInsertPoint(Done);
  H.B.CreateRetVoid();
  return H.F;
}

Function *recordRelease(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Helper H(M, "isozyme.record.release", Type::getVoidTy(C), {Ptr});
  if (H.Exists)
    return H.F;
  Value *Record = H.F->getArg(0);
  BasicBlock *Some = H.block("some"), *Loop = H.block("loop"), *Own = H.block("own"),
             *Done = H.block("done");
  H.B.CreateCondBr(H.B.CreateIsNull(Record), Done, Some);
  H.B.SetInsertPoint(Some);
  Value *First = H.load(Record, Child);
  H.B.CreateCondBr(H.B.CreateIsNull(First), Own, Loop);
  H.B.SetInsertPoint(Loop);
  PHINode *At = H.B.CreatePHI(Ptr, 2, "at");
  Value *After = H.load(At, Sibling);
  H.B.CreateCall(H.F, {At});
  At->addIncoming(First, Some);
  At->addIncoming(After, Loop);
  H.B.CreateCondBr(H.B.CreateIsNull(After), Own, Loop);
  H.B.SetInsertPoint(Own);
  H.B.CreateCall(releaseNodes(M), {H.load(Record, Released)});
  releaseTape(H.B, H.load(Record, Words));
  releaseTape(H.B, Record);
  H.B.CreateBr(Done);
  H.B.SetInsertPoint(Done);
  H.B.CreateRetVoid();
  return H.F;
}

} // namespace isozyme
