//===- CaughtExceptions.cpp - Differentiated code that catches ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/CaughtExceptions.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/ExceptionFlow.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Requests/PlainCalls.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// The function whose derivative \p Call asks for, or null.
static Function *differentiatedBy(const CallBase &Call) {
  if (!calledEntryPoint(Call))
    return nullptr;
  unsigned Number = functionOperandNumber(Call);
  return Number < Call.arg_size() ? tracedFunction(Call.getArgOperand(Number)) : nullptr;
}

CaughtExceptions::CaughtExceptions(Module &M, FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {
  if (none_of(M, [](const Function &F) {
        return F.hasPersonalityFn() && isCxxPersonality(*F.getPersonalityFn());
      }))
    return;
  auto isOther = [](Function &F) {
    return hasMarkedMeaning(F) || F.isInterposable() || isInactiveRuntimeName(F.getName());
  };
  SetVector<Function *> Reached;
  for (Function *F : MarkerTargets(M).Named)
    if (!isOther(*F))
      Reached.insert(F);
  addReachable(Reached, isOther);
  ExceptionFlow Flow(Reached.getArrayRef(), differentiatedBy);
  if (Flow.functions().empty())
    return;
  Runtime.emplace(M, Flow.carriesNumbers());
  makeCopies(Flow.functions());
  for (auto [Original, Copy] : Copies)
    lowerExceptions(*Copy, *Original, Flow, *Runtime, differentiatedBy);
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::PreserveCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().setSimplifyCondBranch(false).speculateBlocks(false)));
  for (auto [Original, Copy] : Copies) {
    redirectCalls(*Copy);
    removeUnreachableBlocks(*Copy);
    FAM.invalidate(*Copy, Simplify.run(*Copy, FAM));
    Runtime->markCaught(*Copy);
  }
  nameCopies([&](const Function &F) { return Flow.carriesNumbers() || Flow.mayThrow(F); });
}

void CaughtExceptions::makeCopies(ArrayRef<Function *> Functions) {
  for (Function *F : Functions) {
    Function *Copy = &internalCopyOf(*F);
    std::string Name = F->getName().str();
    F->setName(Name + ".user");
    Copy->setName(Name);
    Copies[F] = Copy;
  }
}

/// Copies call copies. As a value a function stays what it is for the rest of the program.
void CaughtExceptions::redirectCalls(Function &In) {
  for (Instruction &I : instructions(In))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = Call->getCalledFunction())
        if (Function *Copy = Copies.lookup(Callee))
          Call->setCalledFunction(Copy);
}

/// Behind \p Marker, what was thrown in its derivative is thrown. A first half leaves shadows
/// to the second, which knows them by its tape: they are on no list.
CallBase *CaughtExceptions::leaveBehind(CallBase &Marker) {
  IRBuilder<> B(&Marker);
  bool KeepsShadows = calledKind(Marker) == EntryPoint::Augmentfwd;
  Value *Arguments[] = {B.CreateCall(Runtime->beginning()), B.getInt1(KeepsShadows)};
  auto *Invoke = dyn_cast<InvokeInst>(&Marker);
  if (!Invoke) {
    B.SetInsertPoint(Marker.getNextNode());
    B.SetCurrentDebugLocation(Marker.getDebugLoc());
    return B.CreateCall(Runtime->leaving(), Arguments);
  }
  BasicBlock *Between = SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
  BasicBlock *Pad = Invoke->getUnwindDest();
  Instruction *Branch = Between->getTerminator();
  auto *Leaving = InvokeInst::Create(Runtime->leaving(), Branch->getSuccessor(0), Pad, Arguments,
                                     "", Branch->getIterator());
  Leaving->setDebugLoc(Marker.getDebugLoc());
  Branch->eraseFromParent();
  for (PHINode &Phi : Pad->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Invoke->getParent()), Between);
  return Leaving;
}

void CaughtExceptions::nameCopies(function_ref<bool(const Function &)> HasLeavings) {
  SmallPtrSet<const Function *, 8> IsCopy;
  for (auto [Original, Copy] : Copies)
    IsCopy.insert(Copy);
  for (CallBase *Call : findMarkerCalls(M)) {
    Function *Original = differentiatedBy(*Call);
    Function *Copy = Copies.lookup(Original);
    if (!Copy)
      continue;
    // In a copy the caller looks itself whether something was thrown.
    CallBase *Leaving = HasLeavings(*Original) && !IsCopy.contains(Call->getFunction())
                            ? leaveBehind(*Call)
                            : nullptr;
    Call->setArgOperand(functionOperandNumber(*Call), Copy);
    Calls.push_back({Call, Original, Leaving});
    FAM.invalidate(*Call->getFunction(), PreservedAnalyses::none());
  }
}

CaughtExceptions::~CaughtExceptions() {
  for (Replaced &R : Calls)
    if (auto *Marker = cast_or_null<CallBase>(R.Marker)) { // Left, or refused.
      Marker->setArgOperand(functionOperandNumber(*Marker), R.Original);
      auto *Leaving = cast_or_null<CallBase>(R.Leaving);
      if (auto *Invoke = dyn_cast_or_null<InvokeInst>(Leaving))
        Leaving = changeToCall(Invoke);
      if (!Leaving)
        continue;
      auto *Beginning = cast<Instruction>(Leaving->getArgOperand(0));
      Leaving->eraseFromParent();
      Beginning->eraseFromParent();
    }
  SetVector<Function *> Unused;
  for (auto [Original, Copy] : Copies) {
    std::string Name = Copy->getName().str();
    Copy->setName(Name + ".caught");
    Original->setName(Name);
    Unused.insert(Copy);
  }
  eraseUnused(std::move(Unused), FAM);
}

} // namespace isozyme
