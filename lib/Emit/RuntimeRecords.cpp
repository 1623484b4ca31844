//===- RuntimeRecords.cpp - A log of 64-bit words -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is written from the start to the end and read in the same order. It owns the
// records of calls, which are in a list: { words, count, room, next, child, sibling }.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/RuntimeHelpers.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

enum Field : unsigned { Words, Count, Room, Next, Child, Sibling };

static StructType *recordType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, I64, I64, I64, Ptr, Ptr});
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

Function *recordWrite(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.write", Type::getVoidTy(C), {Ptr, Ptr, I64});
  if (H.Exists)
    return H.F;
  Value *Record = H.F->getArg(0), *From = H.F->getArg(1), *Length = H.F->getArg(2);
  BasicBlock *Grow = H.block("grow"), *Copy = H.block("copy");
  Value *Used = H.load(Record, Count), *Space = H.load(Record, Room);
  Value *Wanted = H.B.CreateAdd(Used, Length);
  H.B.CreateCondBr(H.B.CreateICmpUGT(Wanted, Space), Grow, Copy);
  H.B.SetInsertPoint(Grow);
  Value *More = H.B.CreateAdd(H.B.CreateShl(Wanted, 1), H.B.getInt64(16));
  Value *New = H.B.CreateCall(tapeAllocate(M), {H.B.CreateShl(More, 3)});
  Value *Old = H.load(Record, Words);
  H.B.CreateMemCpy(New, Align(8), Old, Align(8), H.B.CreateShl(Used, 3));
  H.B.CreateCall(tapeRelease(M), {Old});
  H.store(New, Record, Words);
  H.store(More, Record, Room);
  H.B.CreateBr(Copy);
  H.B.SetInsertPoint(Copy);
  H.B.CreateMemCpy(H.word(Record, Used), Align(8), From, Align(8), H.B.CreateShl(Length, 3));
  H.store(Wanted, Record, Count);
  H.B.CreateRetVoid();
  return H.F;
}

Function *recordRead(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Helper H(M, "isozyme.record.read", Type::getVoidTy(C), {Ptr, Ptr, I64});
  if (H.Exists)
    return H.F;
  Value *Record = H.F->getArg(0), *To = H.F->getArg(1), *Length = H.F->getArg(2);
  Value *At = H.load(Record, Next);
  H.B.CreateMemCpy(To, Align(8), H.word(Record, At), Align(8), H.B.CreateShl(Length, 3));
  H.store(H.B.CreateAdd(At, Length), Record, Next);
  H.B.CreateRetVoid();
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
  BasicBlock *Some = H.block("some"), *Loop = H.block("loop"),
             *Own = H.block("own"), *Done = H.block("done");
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
  H.B.CreateCall(tapeRelease(M), {H.load(Record, Words)});
  H.B.CreateCall(tapeRelease(M), {Record});
  H.B.CreateBr(Done);
  H.B.SetInsertPoint(Done);
  H.B.CreateRetVoid();
  return H.F;
}

} // namespace isozyme
