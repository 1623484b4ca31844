//===- SharedMemory.cpp - Which adjoints several threads may add to -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a GPU many threads run the same derivative at the same time. What two of them read,
// both add to the shadow of. A share is added atomically, unless the memory is the thread's own.
//
// In: the address of an access.  Out: how its share is added, and why.
//
//===----------------------------------------------------------------------===//
#include "SharedMemory.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// The address whose shadow the step of \p I adds to; null if it adds to none.
static const Value *addsTo(const Instruction &I, const Step &S) {
  switch (S.Adjoint) {
  case AdjointStep::Load:
    return cast<LoadInst>(I).getPointerOperand();
  case AdjointStep::MaskedLoad:
    return maskedAccess(I)->Address;
  case AdjointStep::Copy:
    return cast<MemTransferInst>(I).getRawSource();
  default:
    return nullptr;
  }
}

/// Can no other thread reach the memory that \p Ptr leads to?
static bool isOwnMemory(const PreparedFunction &P, const Accelerator &Machine, const Value &Ptr) {
  if (Ptr.getType()->isVectorTy())
    return false;
  if (Machine.sharingOf(Ptr.getType()->getPointerAddressSpace()) == MemorySharing::Thread)
    return true;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  return all_of(Objects, [](const Value *Object) { return isa<AllocaInst>(Object); });
}

static bool isBlockBarrier(const Accelerator &Machine, const Instruction *I) {
  auto *Call = dyn_cast_or_null<IntrinsicInst>(I);
  return Call && Machine.isBlockBarrier(Call->getIntrinsicID()) &&
         all_of(Call->args(), [](const Use &U) { return isa<Constant>(U); });
}

/// A fence by itself may be one half of an exchange whose other half nobody sees.
bool isMeeting(const PreparedFunction &P, const Instruction &I) {
  const Accelerator *Machine = acceleratorOf(*P.original().getParent());
  if (!Machine)
    return false;
  if (isa<FenceInst>(I))
    return isBlockBarrier(*Machine, I.getNextNode()) || isBlockBarrier(*Machine, I.getPrevNode());
  return isBlockBarrier(*Machine, &I);
}

void decideSharing(const PreparedFunction &P, const Instruction &I, Step &S) {
  const Accelerator *Machine = acceleratorOf(*P.original().getParent());
  const Value *Ptr = Machine ? addsTo(I, S) : nullptr;
  if (!Ptr)
    return;
  bool IsOwn = isOwnMemory(P, *Machine, *Ptr);
  S.Sum = IsOwn ? AdjointSum::Ordered : AdjointSum::Atomic;
  S.Why = IsOwn ? StepReason::OwnMemory : StepReason::OtherThreads;
}

} // namespace isozyme
