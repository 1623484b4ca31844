//===- LowerAllocation.cpp - Resizing as allocation, copy and release ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   q = realloc(p, n)   ->  q = malloc(n)
//                           old = malloc_usable_size(p)      (0 for a null pointer)
//                           memcpy(q, p, q ? min(n, old) : 0)
//                           free(q ? p : null)
//   posix_memalign(a, b, n)  ->  q = aligned_alloc(b, n);  *a = q;  q ? 0 : ENOMEM
//   cudaMalloc(a, n)  ->  q = isozyme.gpu.allocate.cuda(n);  *a = q;  ...   (LowerGpuAllocation)
//
// The old size is asked of the library, for it is known nowhere else when the
// pointer comes from memory. It may be larger than what was asked for, and larger
// than that of the shadow: who repeats the copy on shadow memory takes the
// shadow's own size (`isLimitedByBlockSize`). Copied bytes beyond the size asked for
// are never looked at.
//
// In: a clone.  Out: the same without realloc, reallocarray and posix_memalign.
// Never: knows whether the memory is differentiated.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// POSIX's number for "not enough space", the same on all systems.
constexpr unsigned ErrorNoMemory = 12;

/// The size asked for; where the product of reallocarray overflows, a size that no
/// allocation can have.
static Value *newSize(IRBuilder<> &B, const CallBase &Call, const Reallocation &R) {
  Value *Bytes = Call.getArgOperand(R.Bytes);
  if (!R.Count)
    return Bytes;
  Value *Both =
      B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Bytes, Call.getArgOperand(*R.Count));
  return B.CreateSelect(B.CreateExtractValue(Both, 1), Constant::getAllOnesValue(Bytes->getType()),
                        B.CreateExtractValue(Both, 0), "bytes");
}

static void lowerReallocation(CallBase &Call, const Reallocation &R) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *Old = Call.getArgOperand(R.Pointer), *Bytes = newSize(B, Call, R);
  auto *Null = ConstantPointerNull::get(B.getPtrTy());
  CallInst *New = targetRuntime(M).allocate(B, Bytes);
  New->takeName(&Call);
  if (!isa<ConstantPointerNull>(Old)) {
    Value *Failed = B.CreateICmpEQ(New, Null, "failed");
    Value *Had = B.CreateCall(blockSizeFunction(M, Bytes->getType()), {Old}, "had");
    Value *Kept = B.CreateBinaryIntrinsic(Intrinsic::umin, Had, Bytes, {}, "kept");
    Kept = B.CreateSelect(Failed, Constant::getNullValue(Kept->getType()), Kept);
    B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(), Kept);
    targetRuntime(M).release(B, B.CreateSelect(Failed, Null, Old, "left"));
  }
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

static void lowerPosixMemalign(CallBase &Call) {
  IRBuilder<> B(&Call);
  Value *Alignment = Call.getArgOperand(1), *Bytes = Call.getArgOperand(2);
  CallInst *New = targetRuntime(*Call.getModule()).allocateAligned(B, Alignment, Bytes, "aligned");
  if (auto *Known = dyn_cast<ConstantInt>(Alignment))
    if (Known->getValue().isPowerOf2())
      New->addRetAttr(Attribute::getWithAlignment(B.getContext(), Align(Known->getZExtValue())));
  B.CreateStore(New, Call.getArgOperand(0));
  Value *Failed = B.CreateIsNull(New, "failed");
  Type *Result = Call.getType();
  Call.replaceAllUsesWith(B.CreateSelect(Failed, ConstantInt::get(Result, ErrorNoMemory),
                                         Constant::getNullValue(Result)));
  Call.eraseFromParent();
}

void lowerAllocation(Function &F, const TargetLibraryInfo &TLI) {
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    if (std::optional<Reallocation> R = libraryReallocation(*Call, TLI))
      lowerReallocation(*Call, *R);
    else if (isPosixMemalign(*Call, TLI))
      lowerPosixMemalign(*Call);
    else
      lowerGpuAllocation(*Call);
  }
}

} // namespace isozyme
