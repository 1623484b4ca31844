//===- SharedMemory.cpp - Which adjoints several threads may add to -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a GPU many threads run the same derivative at the same time. What two of them read,
// both add to the shadow of. A share is added atomically, unless the memory is the thread's own or
// the user promises that nobody else touches it. No index proves that by itself: two arguments may
// lead to one array, and threads of another dimension of the launch may have the same index.
//
// Threads may also store the same number at the same place, as where each writes the sum of the
// block. One of them takes the adjoint: it is exchanged for zero.
//
// Where all threads of a warp add to one place at once, as to a parameter of a model, they would
// wait for each other. So they add up what they have, and one of them adds the sum. That an address
// is the same for all is a guess, which the code tests.
//
// In: the address of an access.  Out: how its share is added, or taken, and why.
//
//===----------------------------------------------------------------------===//
#include "SharedMemory.h"
#include "Steps/Reach.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/SameInWarp.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {
/// Who touches the shadow of the memory that an address leads to?
enum class Touch : uint8_t { Anyone, Promised, ThisThread };
} // namespace

static Touch touchOf(const PreparedFunction &P, const DiffRequest &R, const Value &Ptr) {
  const Accelerator &Machine = *acceleratorOf(*P.original().getParent());
  if (Ptr.getType()->isVectorTy())
    return Touch::Anyone;
  if (Machine.sharingOf(Ptr.getType()->getPointerAddressSpace()) == MemorySharing::Thread)
    return Touch::ThisThread;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  Touch All = Touch::ThisThread;
  for (const Value *Object : Objects) {
    auto *Arg = dyn_cast<Argument>(Object);
    if (Arg && R.isUnshared(Arg->getArgNo()))
      All = std::min(All, Touch::Promised);
    else if (!isa<AllocaInst>(Object))
      All = Touch::Anyone;
  }
  return All;
}

bool liesInBlock(const PreparedFunction &P, const Value &Ptr) {
  const Accelerator &Machine = *acceleratorOf(*P.original().getParent());
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Ptr, Objects, &P.loops(), /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *Object) {
    return Object->getType()->isPointerTy() &&
           Machine.sharingOf(Object->getType()->getPointerAddressSpace()) == MemorySharing::Block;
  });
}

/// A barrier of the block whose number only the running program knows may be several barriers.
static Meeting barrierAt(const Accelerator &Machine, const Instruction *I) {
  auto *Any = dyn_cast_or_null<CallBase>(I);
  if (auto *Asm = Any ? dyn_cast<InlineAsm>(Any->getCalledOperand()) : nullptr) {
    Meeting Kind = Machine.meetingIn(Asm->getAsmString());
    bool TouchesMemory = StringRef(Asm->getConstraintString()).contains("{memory}");
    return Kind == Meeting::None && TouchesMemory ? Meeting::Fence : Kind;
  }
  auto *Call = dyn_cast_or_null<IntrinsicInst>(I);
  Meeting Kind = Call ? Machine.meetingAt(Call->getIntrinsicID()) : Meeting::None;
  if (Kind == Meeting::Block &&
      !all_of(Call->args(), [](const Use &U) { return isa<Constant>(U); }))
    return Meeting::Other;
  return Kind;
}

Meeting meetingAt(const PreparedFunction &P, const Instruction &I) {
  const Accelerator *Machine = acceleratorOf(*P.original().getParent());
  if (!Machine)
    return Meeting::None;
  if (!isa<FenceInst>(I))
    return barrierAt(*Machine, &I);
  for (const Instruction *Beside : {I.getPrevNode(), I.getNextNode()})
    if (Meeting Kind = barrierAt(*Machine, Beside); Kind == Meeting::Block || Kind == Meeting::Part)
      return Kind;
  return Meeting::Fence;
}

bool meetsBlock(const PreparedFunction &P) {
  const Accelerator *Machine = acceleratorOf(*P.original().getParent());
  if (!Machine)
    return false;
  SmallVector<const Function *, 4> Work = {&P.function()};
  SmallPtrSet<const Function *, 4> Seen;
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val())) {
      if (barrierAt(*Machine, &I) == Meeting::Block)
        return true;
      auto *Call = dyn_cast<CallBase>(&I);
      if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          Callee && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return false;
}

void decideSharing(const PreparedFunction &P, const DiffRequest &R, const Instruction &I, Step &S) {
  const Value *Ptr = acceleratorOf(*P.original().getParent()) ? adjointAddress(I, S) : nullptr;
  if (!Ptr)
    return;
  bool Takes = S.Adjoint == AdjointStep::Store || S.Adjoint == AdjointStep::MaskedStore;
  Touch By = touchOf(P, R, *Ptr);
  S.Sum = By == Touch::Anyone ? AdjointSum::Atomic : AdjointSum::Plain;
  S.Why = By == Touch::ThisThread              ? StepReason::OwnMemory
          : By == Touch::Promised              ? StepReason::Promised
          : Takes                              ? StepReason::SameStore
          : S.Adjoint == AdjointStep::Extremum ? StepReason::SameValue
                                               : StepReason::OtherThreads;
  if (S.Sum == AdjointSum::Atomic && S.Adjoint == AdjointStep::Load &&
      S.Shadow == ShadowReach::Direct &&
      isSameInWarp(*Ptr, [&](const Argument &A) { return R.isCommon(A.getArgNo()); }))
    S.Sum = AdjointSum::PerWarp;
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    S.TakesAtOnce = touchOf(P, R, *Copy->getRawDest()) == Touch::Anyone;
}

} // namespace isozyme
