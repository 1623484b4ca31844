//===- Recording.cpp - Forward mode after the function has run ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load double, ptr %p            recording: + write %x to the record
//   store double %y, ptr %q             replay:    %x read from the record, no store
//   %r = call double @g(double %x)      recording: %r = call double @record.g(%x, child)
//   %h = alloca %node                   recording: on the heap, + write %h to the record
//
// In: a prepared function, or its forward derivative, and the plan of what is written down.
// Never: decides that.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/Recording.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

FunctionType *withRecord(FunctionType *T) {
  SmallVector<Type *, 16> Params(T->params());
  Params.push_back(PointerType::getUnqual(T->getContext()));
  return FunctionType::get(T->getReturnType(), Params, false);
}

static uint64_t wordsOf(const Type *T, const DataLayout &DL) {
  return divideCeil(DL.getTypeStoreSize(const_cast<Type *>(T)).getFixedValue(), 8);
}

/// Memory of the function for a value on its way to or from the record.
static AllocaInst *slotFor(Function &F, Type *T) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  // A record is made of whole words.
  uint64_t Words = std::max<uint64_t>(wordsOf(T, F.getDataLayout()), 1);
  AllocaInst *Slot = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), Words), nullptr, "record.slot");
  Slot->setAlignment(std::max(Slot->getAlign(), F.getDataLayout().getABITypeAlign(T)));
  return Slot;
}

void writeToRecord(IRBuilder<> &B, Value *Record, Value *V) {
  Function &F = *B.GetInsertBlock()->getParent();
  AllocaInst *Slot = slotFor(F, V->getType());
  B.CreateStore(V, Slot);
  B.CreateCall(recordWrite(*F.getParent()),
               {Record, Slot, B.getInt64(wordsOf(V->getType(), F.getDataLayout()))});
}

Value *readFromRecord(IRBuilder<> &B, Value *Record, Type *T) {
  Function &F = *B.GetInsertBlock()->getParent();
  AllocaInst *Slot = slotFor(F, T);
  B.CreateCall(recordRead(*F.getParent()),
               {Record, Slot, B.getInt64(wordsOf(T, F.getDataLayout()))});
  return B.CreateLoad(T, Slot);
}

static Value *wordsFor(IRBuilderBase &B, Value *Bytes) {
  return B.CreateLShr(B.CreateAdd(Bytes, B.getInt64(7)), 3);
}

Value *bytesOfRecord(IRBuilderBase &B, Value *Record, Value *Bytes) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(recordTake(M), {Record, wordsFor(B, Bytes)});
}

/// Properties of the function alone do not hold for one that also has a record.
static void dropPromises(Function &F) {
  for (Attribute::AttrKind K : {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
                                Attribute::WillReturn, Attribute::Speculatable})
    F.removeFnAttr(K);
}

/// The memory of the function is there as long as the record: see RuntimeRecords.
static void putOffRelease(CallInst &Release, const Value *Freed, Value *Record) {
  Module &M = *Release.getModule();
  IRBuilder<> B(&Release);
  Value *Memory = nullptr;
  SmallVector<Value *, 5> Others;
  for (Value *Operand : Release.args())
    if (Operand == Freed)
      Memory = Operand;
    else
      Others.push_back(Operand->getType()->isPointerTy()
                           ? B.CreatePtrToInt(Operand, B.getInt64Ty())
                           : B.CreateZExtOrTrunc(Operand, B.getInt64Ty()));
  Others.resize(2, B.getInt64(0));
  CallInst *Call = B.CreateCall(
      recordPutOff(M), {Record, Memory, releaseThunk(M, Release, Freed), Others[0], Others[1]});
  Call->setDebugLoc(Release.getDebugLoc());
  Release.eraseFromParent();
}

/// %h = alloca T   ->   %h = memory that is there as long as the record
static Value *moveToRecord(AllocaInst &Local, Value *Record) {
  Module &M = *Local.getModule();
  IRBuilder<> B(&Local);
  Value *Memory = allocateLocal(B, Local, Local.getArraySize(), TapeMemory::Heap);
  B.CreateCall(recordPutOff(M),
               {Record, Memory, releaseLocalThunk(M), B.getInt64(0), B.getInt64(0)});
  Memory->takeName(&Local);
  Local.replaceAllUsesWith(Memory);
  Local.eraseFromParent();
  return Memory;
}

/// Writes down what \p Copy is about to read.
static void writeBytes(AnyMemTransferInst &Copy, Value *Record) {
  IRBuilder<> B(&Copy);
  Value *Bytes = B.CreateZExtOrTrunc(Copy.getLength(), B.getInt64Ty());
  Value *To = B.CreateCall(recordRoom(*Copy.getModule()), {Record, wordsFor(B, Bytes)});
  B.CreateMemCpy(To, Align(8), Copy.getRawSource(), Copy.getSourceAlign(), Bytes);
}

static CallInst *callRecording(CallInst &Call, Function &Recording, Value *Record) {
  IRBuilder<> B(&Call);
  SmallVector<Value *, 8> Args(Call.args());
  Args.push_back(B.CreateCall(recordChild(*Call.getModule()), {Record}));
  CallInst *New = B.CreateCall(&Recording, Args);
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return New;
}

void emitRecording(Function &Shell, const PreparedFunction &P, const RecordPlan &Plan,
                   const UnreadMemory &Unread, function_ref<Function *(const CallInst &)> Of) {
  ValueToValueMapTy Map;
  for (Argument &A : P.function().args()) {
    Argument *New = Shell.getArg(A.getArgNo());
    New->setName(A.getName());
    Map[&A] = New;
  }
  Argument *Record = Shell.getArg(unsigned(Shell.arg_size()) - 1);
  Record->setName("record");
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&Shell, &P.function(), Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Shell.setCallingConv(CallingConv::C);
  dropPromises(Shell);
  for (Instruction &I : instructions(P.function())) {
    Value *Result = Map[&I];
    switch (Plan.at(I)) {
    case RecordStep::None:
      continue;
    case RecordStep::Effect:
      break;
    case RecordStep::Call:
      Result = callRecording(*cast<CallInst>(Result), *Of(cast<CallInst>(I)), Record);
      break;
    case RecordStep::Copy:
      writeBytes(*cast<AnyMemTransferInst>(Result), Record);
      continue;
    case RecordStep::Release:
      putOffRelease(*cast<CallInst>(Result), freedPointer(*cast<CallInst>(Result), P.libraryInfo()),
                    Record);
      continue;
    case RecordStep::Local:
      Result = moveToRecord(*cast<AllocaInst>(Result), Record);
      break;
    }
    if (Result->getType()->isVoidTy())
      continue;
    IRBuilder<> B(cast<Instruction>(Result)->getNextNode());
    writeToRecord(B, Record, Result);
  }
  for (Instruction *I : Unread.stores())
    cast<Instruction>(Map[I])->eraseFromParent();
}

void turnIntoReplay(Function &Shell, const PreparedFunction &P, const RecordPlan &Plan,
                    const CloneMap &Primals, function_ref<ReplayCallee(Function &)> Of) {
  Argument *Record = Shell.getArg(unsigned(Shell.arg_size()) - 1);
  Record->setName("record");
  dropPromises(Shell);
  SmallVector<CallInst *, 8> Inner;
  for (Instruction &I : instructions(Shell))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() && Of(*Call->getCalledFunction()).Replay)
      Inner.push_back(Call);
  for (Instruction &I : instructions(P.function())) {
    const RecordStep Step = Plan.at(I);
    Value *Found = Step == RecordStep::None ? nullptr : static_cast<Value *>(Primals.lookup(&I));
    auto *Clone = dyn_cast_or_null<Instruction>(Found);
    // What a derivative does in place of the call is not a clone of the call.
    if (!Clone || Clone->getOpcode() != I.getOpcode() || Clone->getFunction() != &Shell)
      continue;
    IRBuilder<> B(Clone);
    if (Step == RecordStep::Call)
      readFromRecord(B, Record, B.getPtrTy()); // The callee's record, of no use here.
    if (!I.getType()->isVoidTy()) {
      Value *Read = readFromRecord(B, Record, I.getType());
      Read->takeName(Clone);
      Clone->replaceAllUsesWith(Read);
    }
    Clone->eraseFromParent();
  }
  for (CallInst *Call : Inner) {
    ReplayCallee Callee = Of(*Call->getCalledFunction());
    IRBuilder<> B(Call);
    SmallVector<Value *, 8> Args(Call->args());
    Args.push_back(Callee.HasRecord ? readFromRecord(B, Record, B.getPtrTy())
                                    : ConstantPointerNull::get(B.getPtrTy()));
    CallInst *New = B.CreateCall(Callee.Replay, Args);
    if (Callee.HasRecord && !Callee.Result->isVoidTy())
      readFromRecord(B, Record, Callee.Result); // The replay has it, too.
    New->setDebugLoc(Call->getDebugLoc());
    New->takeName(Call);
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
  BasicBlock &Entry = Shell.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.CreateCall(recordRewind(*Shell.getParent()), {Record});
}

void emitRecordingEntry(Function &Shell, Function &Recording) {
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 8> Args(llvm::make_pointer_range(Shell.args()));
  Value *Record = B.CreateCall(recordNew(*Shell.getParent()), {}, "record");
  Args.push_back(Record);
  CallInst *Result = B.CreateCall(&Recording, Args);
  Value *All = PoisonValue::get(Shell.getReturnType());
  unsigned Last = Shell.getReturnType()->getStructNumElements() - 1;
  if (Last)
    All = B.CreateInsertValue(All, Result, 0);
  B.CreateRet(B.CreateInsertValue(All, Record, Last));
}

void emitReplayEntry(Function &Shell, Function &Replay, bool Keep) {
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 8> Args(llvm::make_pointer_range(Shell.args()));
  CallInst *Result = B.CreateCall(&Replay, Args);
  if (!Keep)
    B.CreateCall(recordRelease(*Shell.getParent()), {Args.back()});
  if (Shell.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
}

} // namespace isozyme
