//===- SplitEntries.cpp - The halves of a pair, as users call them --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   define { double, ptr } @augment.f.entry(double %x)
//     %both = call { double, { double } } @augment.f(double %x)
//     %box = call ptr @isozyme.tape.allocate(i64 8)
//     store { double } %tape, ptr %box
//
// and the second half takes the tape out of the box, which it releases unless the tape
// is to be used again.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/SplitEntries.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Type *tapeTypeFor(const SplitPair &Pair, TapeForm Form, LLVMContext &C) {
  return Form == TapeForm::Pointer ? PointerType::getUnqual(C) : Pair.Tape;
}

/// Is the tape a pointer anyway?
static bool needsNoBox(const SplitPair &Pair, TapeForm Form) {
  return Form == TapeForm::Value || (Pair.Tape && Pair.Boxed);
}

static CallInst *callHalf(IRBuilder<> &B, Function &Half, ArrayRef<Value *> Args) {
  CallInst *Call = B.CreateCall(&Half, Args);
  Call->setCallingConv(Half.getCallingConv());
  return Call;
}

void emitAugmentEntry(Function &Shell, const SplitPair &Pair, TapeForm Form) {
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 16> Args(llvm::make_pointer_range(Shell.args()));
  CallInst *Both = callHalf(B, *Pair.Augment, Args);
  if (Shell.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  if (needsNoBox(Pair, Form)) {
    B.CreateRet(Both);
    return;
  }
  unsigned Last = Shell.getReturnType()->getStructNumElements() - 1;
  Value *Result = PoisonValue::get(Shell.getReturnType());
  for (unsigned I = 0; I < Last; ++I)
    Result = B.CreateInsertValue(Result, B.CreateExtractValue(Both, I), I);
  Value *Box = ConstantPointerNull::get(B.getPtrTy());
  if (Pair.Tape) {
    uint64_t Bytes = Shell.getDataLayout().getTypeAllocSize(Pair.Tape);
    Box = B.CreateCall(tapeAllocate(*Shell.getParent()), {B.getInt64(Bytes)}, "box");
    B.CreateAlignedStore(B.CreateExtractValue(Both, Last), Box,
                         tapeAlign(Pair.Tape, Shell.getDataLayout()));
  }
  B.CreateRet(B.CreateInsertValue(Result, Box, Last));
}

void emitFromTapeEntry(Function &Shell, const SplitPair &Pair, TapeForm Form, bool Releases) {
  Module &M = *Shell.getParent();
  IRBuilder<> B(BasicBlock::Create(Shell.getContext(), "entry", &Shell));
  SmallVector<Value *, 16> Args(llvm::make_pointer_range(Shell.args()));
  if (!needsNoBox(Pair, Form)) {
    Value *Box = Args.pop_back_val();
    if (Pair.Tape) {
      Args.push_back(B.CreateAlignedLoad(Pair.Tape, Box,
                                         tapeAlign(Pair.Tape, Shell.getDataLayout()), "unboxed"));
      if (!Pair.KeepTape)
        releaseTape(B, Box);
    }
  }
  Value *List = nullptr, *OuterList = nullptr;
  if (Releases && !Pair.KeepTape) {
    List = B.CreateThreadLocalAddress(releaseList(M));
    OuterList = B.CreateLoad(B.getPtrTy(), List, "outer.list");
    B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), List);
  }
  CallInst *Gradients = callHalf(B, *Pair.FromTape, Args);
  if (List) {
    B.CreateCall(releaseAll(M));
    B.CreateStore(OuterList, List);
  }
  if (Shell.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Gradients);
}

} // namespace isozyme
