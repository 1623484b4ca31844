//===- DeviceRuntime.cpp - Derivatives on a GPU ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan that allocates memory is an error on such a machine, so that calls of allocate stand only
// in code that does so itself, or that is thrown away with the error.
//
// Tapes come from memory that the program has set aside (isozyme_tape). A thread for which there
// is no room ends.
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/DeviceTape.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static CallInst *callAllocator(IRBuilderBase &B, Value *Bytes, const Twine &Name) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M.getOrInsertFunction("malloc", B.getPtrTy(), Bytes->getType());
  if (auto *F = dyn_cast<Function>(Callee.getCallee()); F && F->isDeclaration()) {
    F->setReturnDoesNotAlias();
    F->setDoesNotThrow();
  }
  return B.CreateCall(Callee, {Bytes}, Name);
}

namespace {
class DeviceRuntime : public TargetRuntime {
public:
  CallInst *allocate(IRBuilderBase &B, Value *Bytes, const Twine &Name) const override {
    return callAllocator(B, Bytes, Name);
  }
  CallInst *allocateZeroed(IRBuilderBase &B, Value *Bytes, const Twine &Name) const override {
    CallInst *Memory = callAllocator(B, Bytes, Name);
    B.CreateMemSet(Memory, B.getInt8(0), Bytes, MaybeAlign());
    return Memory;
  }
  CallInst *allocateAligned(IRBuilderBase &B, Value *, Value *Bytes,
                            const Twine &Name) const override {
    return callAllocator(B, Bytes, Name);
  }
  CallInst *release(IRBuilderBase &B, Value *Memory) const override {
    Module &M = *B.GetInsertBlock()->getModule();
    return B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()), {Memory});
  }
  StringRef family() const override { return "malloc"; }

  Value *allocateTape(IRBuilderBase &B, Value *Bytes, const Twine &Name) const override {
    bool IsSetAside = deviceTape(*B.GetInsertBlock()->getModule());
    return IsSetAside ? takePiece(B, Bytes, Name) : callAllocator(B, Bytes, Name);
  }
  bool releasesTapes() const override { return false; }
  void stopWithoutTape(IRBuilderBase &B, Value *) const override {
    acceleratorOf(*B.GetInsertBlock()->getModule())->endThread(B);
    B.CreateUnreachable();
  }

  /// Threads have nobody to tell.
  void print(IRBuilderBase &, Value *, ArrayRef<Value *>) const override {}
  void stop(IRBuilderBase &B) const override {
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::trap, {});
    B.CreateUnreachable();
  }
};
} // namespace

const TargetRuntime &deviceRuntime() {
  static const DeviceRuntime Device;
  return Device;
}

} // namespace isozyme
