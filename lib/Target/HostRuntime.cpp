//===- HostRuntime.cpp - Derivatives on a processor with a C library -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// The file that dprintf writes errors to.
constexpr int StandardError = 2;

static Module &moduleOf(IRBuilderBase &B) { return *B.GetInsertBlock()->getModule(); }

/// A function of the C library that returns new memory.
static CallInst *callAllocator(IRBuilderBase &B, StringRef Function, ArrayRef<Value *> Args,
                               const Twine &Name) {
  SmallVector<Type *, 2> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  FunctionCallee Callee =
      moduleOf(B).getOrInsertFunction(Function, FunctionType::get(B.getPtrTy(), Types, false));
  if (auto *F = dyn_cast<llvm::Function>(Callee.getCallee()); F && F->isDeclaration()) {
    F->setReturnDoesNotAlias();
    F->setDoesNotThrow();
  }
  return B.CreateCall(Callee, Args, Name);
}

namespace {
class HostRuntime : public TargetRuntime {
public:
  CallInst *allocate(IRBuilderBase &B, Value *Bytes, const Twine &Name) const override {
    return callAllocator(B, "malloc", {Bytes}, Name);
  }
  CallInst *allocateZeroed(IRBuilderBase &B, Value *Bytes, const Twine &Name) const override {
    return callAllocator(B, "calloc", {ConstantInt::get(Bytes->getType(), 1), Bytes}, Name);
  }
  CallInst *allocateAligned(IRBuilderBase &B, Value *Alignment, Value *Bytes,
                            const Twine &Name) const override {
    return callAllocator(B, "aligned_alloc", {Alignment, Bytes}, Name);
  }
  CallInst *release(IRBuilderBase &B, Value *Memory) const override {
    return B.CreateCall(moduleOf(B).getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
                        {Memory});
  }
  StringRef family() const override { return "malloc"; }

  void print(IRBuilderBase &B, Value *Format, ArrayRef<Value *> Values) const override {
    FunctionCallee Print = moduleOf(B).getOrInsertFunction(
        "dprintf", FunctionType::get(B.getInt32Ty(), {B.getInt32Ty(), B.getPtrTy()}, true));
    SmallVector<Value *, 6> Args = {B.getInt32(StandardError), Format};
    append_range(Args, Values);
    B.CreateCall(Print, Args);
  }
  void stop(IRBuilderBase &B) const override {
    B.CreateCall(moduleOf(B).getOrInsertFunction("abort", B.getVoidTy()))->setDoesNotReturn();
    B.CreateUnreachable();
  }
};
} // namespace

Value *TargetRuntime::allocateTape(IRBuilderBase &B, Value *Bytes, const Twine &Name) const {
  return allocate(B, Bytes, Name);
}

void TargetRuntime::stopWithoutTape(IRBuilderBase &B, Value *Bytes) const {
  Value *Text = B.CreateGlobalString(
      "isozyme: out of memory: the tape of a derivative needs %llu more bytes\n");
  print(B, Text, {Bytes});
  stop(B);
}

const TargetRuntime &targetRuntime(const Module &M) {
  static const HostRuntime Host;
  return acceleratorOf(M) ? deviceRuntime() : Host;
}

} // namespace isozyme
