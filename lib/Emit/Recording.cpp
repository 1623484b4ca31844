//===- Recording.cpp - Forward mode after the function has run ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load double, ptr %p            recording: + write %x to the record
//   store double %y, ptr %q             replay:    %x read from the record, no store
//   %r = call double @g(double %x)      recording: %r = call double @record.g(%x, child)
//
// In: a prepared function, or its forward derivative. Never: looks at activity, for both
// sides must find the same places.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/Recording.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
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

bool isRecordedInside(const PreparedFunction &P, const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isVarArg() || Call.getFunctionType() != Callee->getFunctionType())
    return false;
  CustomRules Rules = customRules(*Callee);
  if (Rules.hasSplitForward())
    return true;
  // A derivative for reverse mode alone says nothing here.
  bool IsMarked = hasMarkedMeaning(*Callee) && !isOnlyForReverse(*Callee);
  return !Callee->isDeclaration() && !IsMarked &&
         viewOf(Call, P.libraryInfo()).Class == OpClass::Call;
}

static const CallInst *recordedCall(const PreparedFunction &P, const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && isRecordedInside(P, *Call) ? Call : nullptr;
}

/// Does \p I do more than compute with its operands? Its result is written down.
static bool isEffect(const PreparedFunction &P, const Instruction &I) {
  OpClass Class = viewOf(I, P.libraryInfo()).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero)
    return false; // A function of the library that may set errno, no more.
  return (I.mayReadOrWriteMemory() && !I.isTerminator()) || recordedCall(P, I);
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
  CallInst *Call = B.CreateCall(recordPutOff(M), {Record, Memory, releaseThunk(M, Release, Freed),
                                                  Others[0], Others[1]});
  Call->setDebugLoc(Release.getDebugLoc());
  Release.eraseFromParent();
}

/// A release that can be called again later, with its operands in words.
static bool canPutOff(const PreparedFunction &P, const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || viewOf(I, P.libraryInfo()).Class != OpClass::Free || !I.getType()->isVoidTy() ||
      Call->arg_size() > 3 || !freedPointer(*Call, P.libraryInfo()))
    return false;
  const Function *Callee = Call->getCalledFunction();
  return Callee && !Callee->hasFnAttribute(marking::ReleasesLater);
}

void emitRecording(Function &Shell, const PreparedFunction &P,
                   function_ref<Function *(Function &)> Of) {
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
    if (!isEffect(P, I))
      continue;
    auto *Clone = cast<Instruction>(&*Map[&I]);
    if (const CallInst *Call = recordedCall(P, I)) {
      IRBuilder<> B(Clone);
      SmallVector<Value *, 8> Args(cast<CallInst>(Clone)->args());
      Args.push_back(B.CreateCall(recordChild(*Shell.getParent()), {Record}));
      CallInst *New = B.CreateCall(Of(*Call->getCalledFunction()), Args);
      New->setDebugLoc(Clone->getDebugLoc());
      New->takeName(Clone);
      Clone->replaceAllUsesWith(New);
      Clone->eraseFromParent();
      Clone = New;
    }
    if (canPutOff(P, I)) {
      auto *Release = cast<CallInst>(Clone);
      putOffRelease(*Release, freedPointer(*Release, P.libraryInfo()), Record);
      continue;
    }
    if (I.getType()->isVoidTy())
      continue;
    IRBuilder<> B(Clone->getNextNode());
    writeToRecord(B, Record, Clone);
  }
}

void turnIntoReplay(Function &Shell, const PreparedFunction &P, const CloneMap &Primals,
                    function_ref<ReplayCallee(Function &)> Of) {
  Argument *Record = Shell.getArg(unsigned(Shell.arg_size()) - 1);
  Record->setName("record");
  dropPromises(Shell);
  SmallVector<CallInst *, 8> Inner;
  for (Instruction &I : instructions(Shell))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() && Of(*Call->getCalledFunction()).Replay)
      Inner.push_back(Call);
  for (Instruction &I : instructions(P.function())) {
    Value *Found = isEffect(P, I) ? static_cast<Value *>(Primals.lookup(&I)) : nullptr;
    auto *Clone = dyn_cast_or_null<Instruction>(Found);
    // What a derivative does in place of the call is not a clone of the call.
    if (!Clone || Clone->getOpcode() != I.getOpcode() || Clone->getFunction() != &Shell)
      continue;
    IRBuilder<> B(Clone);
    if (recordedCall(P, I))
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
    Args.push_back(readFromRecord(B, Record, B.getPtrTy()));
    CallInst *New = B.CreateCall(Callee.Replay, Args);
    if (!Callee.Result->isVoidTy())
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
