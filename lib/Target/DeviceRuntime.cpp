//===- DeviceRuntime.cpp - Derivatives on a GPU ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan that allocates memory is an error on such a machine, so that calls of allocate stand only
// in code that does so itself, or that is thrown away with the error.
//
// Tapes come from one block of memory that the program has set aside (isozyme_tape). Each piece is
// taken by one atomic addition, and none is given back during a launch: pieces of different
// threads, and of kernels that run at the same time, never overlap, and what was asked for is known
// when the launch is done. A thread for which there is no room ends.
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static constexpr unsigned WordBytes = 8, PieceAlign = 16;

GlobalVariable *deviceTape(const Module &M) {
  auto *Tape = acceleratorOf(M) ? const_cast<Module &>(M).getNamedGlobal("isozyme_tape") : nullptr;
  bool Fits = Tape && M.getDataLayout().getTypeAllocSize(Tape->getValueType()) == 3 * WordBytes;
  return Fits ? Tape : nullptr;
}

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
    Module &M = *B.GetInsertBlock()->getModule();
    GlobalVariable *Tape = deviceTape(M);
    if (!Tape)
      return callAllocator(B, Bytes, Name);
    Type *I64 = B.getInt64Ty();
    auto At = [&](unsigned Word) {
      return B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Tape, Word * WordBytes);
    };
    Value *Whole = B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(PieceAlign - 1)),
                               B.getInt64(-uint64_t(PieceAlign)));
    SyncScope::ID Scope = B.getContext().getOrInsertSyncScopeID(acceleratorOf(M)->addingScope());
    Value *Start = B.CreateAtomicRMW(AtomicRMWInst::Add, At(2), Whole, MaybeAlign(),
                                     AtomicOrdering::Monotonic, Scope);
    Value *Size = B.CreateLoad(I64, At(1)), *Memory = B.CreateLoad(B.getPtrTy(), At(0));
    Value *Fits =
        B.CreateAnd(B.CreateICmpULE(Start, Size), B.CreateICmpULE(Whole, B.CreateSub(Size, Start)));
    return B.CreateSelect(Fits, B.CreateGEP(B.getInt8Ty(), Memory, Start),
                          ConstantPointerNull::get(B.getPtrTy()), Name);
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
