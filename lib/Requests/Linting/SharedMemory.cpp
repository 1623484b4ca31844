//===- SharedMemory.cpp - Memory that a call uses twice -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallLints that is about memory with two roles, each of which is right
// by itself: one shadow for two arguments, a variable that the function gets as an
// argument and uses by its name as well, a tape that two second halves read.
//
// In: a call, as it was read.  Out: warnings.
// Never: looks further than the calling function and the bodies that it names.
//
//===----------------------------------------------------------------------===//
#include "CallVariables.h"
#include "Reading/ArgumentTypes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/CallLints.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// Memory that no other name in the calling function stands for.
static const Value *ownMemory(const Value *V) {
  V = getUnderlyingObject(throughVariable(V));
  return isIdentifiedObject(V) || isa<Argument>(V) ? V : nullptr;
}

/// Are two addresses hardly the same, because they are in memory of their own, or in different
/// members of one object?
static bool areApart(const Value *One, const Value *Other) {
  if (const Value *A = ownMemory(One), *B = ownMemory(Other); A && B)
    return A != B;
  auto *First = dyn_cast<LoadInst>(throughVariable(One));
  auto *Second = dyn_cast<LoadInst>(throughVariable(Other));
  if (!First || !Second || First->getType() != Second->getType())
    return false;
  const DataLayout &DL = First->getDataLayout();
  int64_t At = 0, ItsAt = 0;
  const Value *Base = GetPointerBaseWithConstantOffset(First->getPointerOperand(), At, DL);
  const Value *Its = GetPointerBaseWithConstantOffset(Second->getPointerOperand(), ItsAt, DL);
  return Base == Its ? At != ItsAt : ownMemory(Base) && ownMemory(Its);
}

static bool isOrdinary(const MarkerCall &M, unsigned Param) {
  const CallArgument &A = M.Arguments[Param];
  return A.Primal && !A.ByRef && !A.Shadows.empty() && A.Primal->getType()->isPointerTy() &&
         A.Shadows[0]->getType()->isPointerTy() && M.Request.checkOf(Param) == ShadowCheck::None;
}

/// f(a, da, b, da): both gradients would be added up.
static void lintSharedShadow(const MarkerCall &M, unsigned Param) {
  const DiffRequest &R = M.Request;
  const Value *Shadow = throughVariable(M.Arguments[Param].Shadows[0]);
  if (isa<ConstantPointerNull>(Shadow))
    return;
  for (unsigned Other = 0; Other < Param; ++Other) {
    if (!isOrdinary(M, Other) || throughVariable(M.Arguments[Other].Shadows[0]) != Shadow ||
        !areApart(M.Arguments[Param].Primal, M.Arguments[Other].Primal))
      continue;
    warn(DiagId::ShadowUnfit, Place(*M.Call),
         "the shadow of " + describeParameter(*R.Fn, Param) + " is that of argument " +
             Twine(Other + 1) +
             ", too: both gradients would be added up there; pass memory of its "
             "own, or mark it with 'enzyme_const'");
    return;
  }
}

/// Does code that \p F runs read or write floats of \p G, by its name?
static bool usesByName(Function &F, const GlobalVariable &G) {
  SmallSetVector<Function *, 16> Run;
  Run.insert(&F);
  for (unsigned I = 0; I < Run.size(); ++I)
    for (Instruction &Inst : instructions(*Run[I])) {
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          Run.insert(Callee);
      const Value *Pointer = getLoadStorePointerOperand(&Inst);
      if (Pointer && getLoadStoreType(&Inst)->isFPOrFPVectorTy() &&
          getUnderlyingObject(Pointer) == &G)
        return true;
    }
  return false;
}

static void lintGlobalByName(const MarkerCall &M, unsigned Param) {
  const DiffRequest &R = M.Request;
  auto *G = dyn_cast_or_null<GlobalVariable>(ownMemory(M.Arguments[Param].Primal));
  if (!G || G->isConstant() || G->hasAttribute(marking::Inactive) || !usesByName(*R.Fn, *G))
    return;
  warn(DiagId::ShadowUnfit, Place(*M.Call),
       describeParameter(*R.Fn, Param) + " is the variable '" + G->getName() + "', which " +
           describeFunction(*R.Fn) +
           " uses by its name, too: of that, nothing gets into the shadow; use the argument alone, "
           "or declare the variable inactive: __attribute__((annotate(\"enzyme_inactive\")))");
}

/// Calls of second halves that certainly read the tape \p Tape.
static SmallVector<const CallBase *, 4> readersOf(const Value *Tape) {
  SmallVector<const User *, 8> Users(Tape->users());
  for (const User *U : Tape->users())
    if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == Tape)
      for (const User *Held : Store->getPointerOperand()->users())
        if (isa<LoadInst>(Held) && throughVariable(Held) == Tape)
          append_range(Users, Held->users());
  SmallVector<const CallBase *, 4> Readers;
  for (const User *U : Users) {
    auto *Call = dyn_cast<CallBase>(U);
    const Function *Entry = Call ? calledEntryPoint(*Call) : nullptr;
    if (Entry && entryPoint(Entry->getName()) == EntryPoint::Reverse)
      Readers.push_back(Call);
  }
  return Readers;
}

void lintReleasedTape(const MarkerCall &M) {
  if (M.Request.Mode != DiffMode::FromTape || M.Request.KeepTape || M.Allocated || M.TapeAddress ||
      M.Tape.Values.size() != 1)
    return;
  auto *Tape = dyn_cast<Instruction>(throughVariable(M.Tape.Values[0]));
  if (!Tape || isa<LoadInst, PHINode>(Tape))
    return;
  const DominatorTree Dominators(*M.Call->getFunction());
  for (const CallBase *Reader : readersOf(Tape)) {
    if (Reader == M.Call || !Dominators.dominates(M.Call, Reader))
      continue;
    warn(DiagId::LoneHalf, Place(*Reader),
         "the tape that this call reads is gone: another call has read it" +
             (M.Call->getDebugLoc() ? ", in line " + Twine(M.Call->getDebugLoc().getLine())
                                    : Twine("")) +
             "; pass 'enzyme_nofree' to all calls that read it but the last");
    return;
  }
  const LoopInfo Loops(Dominators);
  const Loop *Around = Loops.getLoopFor(M.Call->getParent());
  // One that runs in some iterations only may release the tape in the last.
  const BasicBlock *Latch = Around ? Around->getLoopLatch() : nullptr;
  if (Latch && !Around->contains(Tape->getParent()) &&
      Dominators.dominates(M.Call->getParent(), Latch))
    warn(DiagId::LoneHalf, Place(*M.Call),
         "this call reads one tape several times, and releases it the first time; pass "
         "'enzyme_nofree', and release the tape with a last call without it");
}

void lintSharedMemory(const MarkerCall &M) {
  for (unsigned Param = 0; Param < M.Arguments.size(); ++Param) {
    if (!isOrdinary(M, Param) || M.Request.Dependence)
      continue;
    // In forward mode, one array of zeros may serve several arguments.
    if (M.Request.isReverse() && M.Request.Mode != DiffMode::Augment)
      lintSharedShadow(M, Param);
    lintGlobalByName(M, Param);
  }
}

} // namespace isozyme
