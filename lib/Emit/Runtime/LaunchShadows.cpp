//===- LaunchShadows.cpp - Shadows of memory that launches size -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All `extern __shared__` arrays of a kernel begin at one place, and have the bytes that its launch
// gives. That of a gradient gives twice as many:
//
//   0           bytes / 2        bytes
//   | the array | its shadow     |
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/LaunchShadows.h"
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace isozyme {

Value *bytesOfLaunchShadow(IRBuilderBase &B) {
  const Accelerator &Machine = *acceleratorOf(*B.GetInsertBlock()->getModule());
  return B.CreateLShr(Machine.bytesOfLaunch(B), 1);
}

namespace {
/// The array and its shadow in one function.
struct Halves {
  GlobalVariable &Array;
  Instruction &Shadow;
  Value &Bytes; ///< Of each of them.
};

/// What an instruction reads or writes.
struct Access {
  Value *At = nullptr;
  Type *Moved = nullptr;
};
} // namespace

static Access accessOf(Instruction &I) {
  if (Value *At = getLoadStorePointerOperand(&I))
    return {At, getLoadStoreType(&I)};
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return {Update->getPointerOperand(), Update->getType()};
  return {};
}

/// Ends the kernel where \p I leaves its half.
static void checkAccess(Instruction &I, const Halves &H) {
  Access Here = accessOf(I);
  if (!Here.At || Here.At->getType()->isVectorTy())
    return;
  // The shadow is an address in the array, too: it comes first on the way there.
  const Value *Begin = Here.At;
  while (Begin != &H.Shadow && isa<GEPOperator, AddrSpaceCastOperator>(Begin))
    Begin = cast<User>(Begin)->getOperand(0);
  if (Begin != &H.Shadow && Begin != &H.Array)
    return;
  IRBuilder<> B(&I);
  Type *Near = H.Array.getType();
  Value *At = Here.At->getType() == Near ? Here.At : B.CreateAddrSpaceCast(Here.At, Near);
  auto AsNumber = [&](const Value *V) {
    return B.CreatePtrToInt(const_cast<Value *>(V), B.getInt32Ty());
  };
  Value *Distance = B.CreateZExt(B.CreateSub(AsNumber(At), AsNumber(Begin)), B.getInt64Ty());
  uint64_t Size = I.getDataLayout().getTypeStoreSize(Here.Moved);
  Value *End = B.CreateAdd(Distance, B.getInt64(Size));
  emitStop(B, B.CreateICmpUGT(End, B.CreateZExt(&H.Bytes, B.getInt64Ty())), I.getDebugLoc().get(),
           "the gradient leaves its half of '" + H.Array.getName() +
               "': launch it with twice the bytes that the function needs");
}

static void placeIn(Function &F, GlobalVariable &Shadow, GlobalVariable &Array) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  Value *Bytes = bytesOfLaunchShadow(B);
  auto *There = cast<Instruction>(B.CreateGEP(B.getInt8Ty(), &Array, Bytes, Shadow.getName()));
  Shadow.replaceUsesWithIf(There, [&](Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I->getFunction() == &F;
  });
  if (!options().Check)
    return;
  Halves H{Array, *There, *Bytes};
  SmallVector<Instruction *, 32> All;
  for (Instruction &I : instructions(F))
    All.push_back(&I);
  for (Instruction *I : All)
    checkAccess(*I, H);
}

void placeLaunchShadows(Module &M) {
  for (GlobalVariable &Shadow : make_early_inc_range(M.globals())) {
    GlobalVariable *Array = halvedBy(Shadow);
    if (!Array)
      continue;
    convertUsersOfConstantsToInstructions({&Shadow});
    SmallSetVector<Function *, 4> Users;
    for (User *U : Shadow.users())
      if (auto *I = dyn_cast<Instruction>(U))
        Users.insert(I->getFunction());
    for (Function *F : Users)
      placeIn(*F, Shadow, *Array);
    Shadow.eraseFromParent();
  }
}

} // namespace isozyme
