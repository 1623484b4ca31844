//===- RepeatedCalls.cpp - Calls that the user wants repeated -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a call marked enzyme_shouldrecompute. Out: whether the reverse sweep may do it again
// and get the same, or what is in the way. Of a function without a body the mark itself is
// the only word there is, as long as the call passes no addresses.
//
//===----------------------------------------------------------------------===//
#include "RepeatedCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static std::string whyNotOf(const Function &F, const PreparedFunction &P,
                            SmallPtrSetImpl<const Function *> &Seen);

static bool isPrivate(const Value *Address) {
  return isa<AllocaInst>(getUnderlyingObject(Address));
}

static bool isConstantMemory(const Value *Address) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
  return G && G->isConstant();
}

static std::string whyNotInside(const Instruction &I, const PreparedFunction &P,
                                SmallPtrSetImpl<const Function *> &Seen) {
  if (!I.mayReadOrWriteMemory() && !isa<CallBase>(I))
    return "";
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    const Value *From = Load->getPointerOperand();
    return isPrivate(From) || isConstantMemory(From) ? "" : "it reads memory that may change";
  }
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isPrivate(Store->getPointerOperand()) ? "" : "it writes memory";
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return isPrivate(Copy->getDest()) &&
                   (isPrivate(Copy->getSource()) || isConstantMemory(Copy->getSource()))
               ? ""
               : "it copies memory";
  if (auto *Set = dyn_cast<MemSetInst>(&I))
    return isPrivate(Set->getDest()) ? "" : "it writes memory";
  if (I.isLifetimeStartOrEnd())
    return "";
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return "it synchronises with other threads";
  OpClass Class = viewOf(I, P.libraryInfo()).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero || Call->doesNotAccessMemory())
    return "";
  if (const Function *Inner = Call->getCalledFunction())
    return whyNotOf(*Inner, P, Seen);
  return "it calls through a pointer";
}

static std::string whyNotOf(const Function &F, const PreparedFunction &P,
                            SmallPtrSetImpl<const Function *> &Seen) {
  if (F.doesNotAccessMemory() || !Seen.insert(&F).second)
    return "";
  if (F.isDeclaration())
    return F.hasFnAttribute(marking::ShouldRecompute)
               ? ""
               : "it calls '" + F.getName().str() + "', which has no body here";
  for (const Instruction &I : instructions(F))
    if (std::string Why = whyNotInside(I, P, Seen); !Why.empty())
      return Why;
  return "";
}

std::string whyNotRepeated(const CallBase &Call, const PreparedFunction &P) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "it calls through a pointer";
  if (any_of(Call.args(), [](const Use &U) { return U->getType()->isPtrOrPtrVectorTy(); }))
    return "it takes addresses";
  if (Callee == &P.function())
    return "it is the function that is differentiated";
  if (Callee->isDeclaration())
    return ""; // By the user's word, at the call or the function.
  SmallPtrSet<const Function *, 8> Seen;
  return whyNotOf(*Callee, P, Seen);
}

} // namespace isozyme
