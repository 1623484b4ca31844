//===- InlineCallees.cpp - Calls in which derivatives keep much ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int c = 0; c < cells; c++)      double valueOf(const double *x) {
//     addFlux(x, c, residual);             return model.value(x);
//                                        }
//
// The derivative of a call of a function keeps all that the function has read and its caller
// might overwrite, for each call. In the caller it can be seen that nothing overwrites it. So
// the body takes the place of the call where the function is called in a loop, or has loops. The
// optimiser weighs the time of a call against the size of the code; here it is the tape.
//
// On a GPU it is other calls: of functions by which threads wait for each other.
//
// In: the clone, before any other step.  Out: the same with fewer calls.
// Never: inlines what the user or the optimiser wants to be a call, or what is unoptimised.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/NamedCopies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// Instructions. What is smaller the optimiser has inlined, or somebody wants it to be a call.
/// What is larger, of a function or of all together, would double the size of derivatives.
constexpr unsigned FewestInstructions = 40, MostInstructions = 1000, MostOfAll = 2000;
constexpr unsigned MostRounds = 4;

bool canTakeTheBody(const CallBase &Call, const Function &Original) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || Callee->isVarArg() ||
      Callee->getFunctionType() != Call.getFunctionType() || hasMarkedMeaning(*Callee) ||
      Callee == &Original || Callee == Call.getFunction())
    return false;
  return none_of(instructions(*Callee), [&](const Instruction &I) {
    auto *Inner = dyn_cast<CallBase>(&I);
    return Inner &&
           (Inner->getCalledFunction() == Callee || Inner->getCalledFunction() == &Original);
  });
}

/// Does a chain of calls lead from \p From back to it, or to \p Original?
static bool isRecursive(const Function &From, const Function &Original) {
  SmallSetVector<const Function *, 16> Reached;
  auto addCallees = [&](const Function &F) {
    for (const Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          Reached.insert(Callee);
  };
  addCallees(From);
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    addCallees(*Reached[Next]);
  return Reached.contains(&From) || Reached.contains(&Original);
}

static bool hasLoops(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Edges;
  FindFunctionBackedges(F, Edges);
  return !Edges.empty();
}

/// Does a word of the user's, about the call or in the function, go beyond what is computed?
static bool isMarked(const CallBase &Call) {
  auto isMark = [](const CallBase &C) {
    const Function *To = C.getCalledFunction();
    return isCheckpointCall(C) || (To && (typeHintOf(*To) || isMadeByIsozyme(*To)));
  };
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg)
    if (isMarkedInactive(Call, Arg))
      return true;
  if (isMarkedInactive(Call) || isMarkedActive(Call) || hasInactiveResult(Call) ||
      isMarkedShouldRecompute(Call) || isUnlisted(Call) || isMark(Call))
    return true;
  return any_of(instructions(*Call.getCalledFunction()), [&](const Instruction &I) {
    auto *Inner = dyn_cast<CallBase>(&I);
    return Inner && isMark(*Inner);
  });
}

/// Does \p F move words of which its parameters and its callers say what they are?
static bool movesWords(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *S = dyn_cast<StoreInst>(&I);
    auto *L = S ? dyn_cast<LoadInst>(S->getValueOperand()) : nullptr;
    return L && L->getType()->isIntOrIntVectorTy() && L->getType()->getPrimitiveSizeInBits() >= 32;
  });
}

/// Does \p F link blocks of memory, or copy them, and nothing else, as functions of containers do?
/// What computes with numbers is a function of the user's that makes a container.
static bool managesMemory(const Function &F) {
  auto Links = [](const Instruction &I) {
    auto *S = dyn_cast<StoreInst>(&I);
    return isa<MemTransferInst>(I) || (S && S->getValueOperand()->getType()->isPointerTy());
  };
  auto Computes = [](const Instruction &I) {
    return isa<FPMathOperator>(I) && isa<BinaryOperator, IntrinsicInst>(I);
  };
  return any_of(instructions(F), Links) && none_of(instructions(F), Computes);
}

static bool isGoodToInline(const CallBase &Call, const Function &Original, const LoopInfo &LI,
                           const TargetLibraryInfo &TLI) {
  if (!canTakeTheBody(Call, Original) || Call.isNoInline() || Call.isMustTailCall() ||
      Call.doesNotReturn() || viewOf(Call, TLI).Class != OpClass::Call)
    return false;
  Function &Callee = *Call.getCalledFunction();
  unsigned Size = Callee.getInstructionCount();
  if (Size < FewestInstructions || Size > MostInstructions || Callee.hasOptNone() ||
      Callee.hasOptSize() || Callee.hasFnAttribute(Attribute::Cold) || isMarked(Call) ||
      !isInlineViable(Callee).isSuccess() || movesWords(Callee) || managesMemory(Callee))
    return false;
  return (LI.getLoopFor(Call.getParent()) || hasLoops(Callee)) && !isRecursive(Callee, Original);
}

/// On a GPU a function by which threads wait for each other may move no derivative, and still the
/// reverse sweep has to wait where it is called.
static void inlineMeetings(Function &F, FunctionAnalysisManager &FAM, const Function &Original) {
  bool Changed = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !canTakeTheBody(*Call, Original) || Call->isMustTailCall() || isMarked(*Call) ||
          !meetsOthers(*Call->getCalledFunction()) ||
          !isInlineViable(*Call->getCalledFunction()).isSuccess() ||
          isRecursive(*Call->getCalledFunction(), Original))
        continue;
      InlineFunctionInfo Info;
      Again = inlineWithNames(*Call, Info, /*InsertLifetime=*/false);
      Changed |= Again;
      if (Again)
        break;
    }
  }
  if (!Changed)
    return;
  FAM.invalidate(F, PreservedAnalyses::none());
  dropAssignmentTracking(F);
}

void inlineCallees(Function &F, FunctionAnalysisManager &FAM, const Function &Original) {
  if (acceleratorOf(*Original.getParent()))
    return inlineMeetings(F, FAM, Original);
  if (!options().Inline || Original.hasFnAttribute(UnoptimisedMark) || Original.hasOptSize())
    return;
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  unsigned All = 0;
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    const auto &LI = FAM.getResult<LoopAnalysis>(F);
    SmallVector<CallBase *, 4> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && isGoodToInline(*Call, Original, LI, TLI))
        Calls.push_back(Call);
    bool Changed = false;
    for (CallBase *Call : Calls) {
      unsigned Size = Call->getCalledFunction()->getInstructionCount();
      InlineFunctionInfo Info;
      if (All + Size > MostOfAll || !inlineWithNames(*Call, Info, /*InsertLifetime=*/false))
        continue;
      All += Size;
      Changed = true;
    }
    if (!Changed)
      break;
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  dropAssignmentTracking(F); // The bodies have brought theirs, which derivatives would share.
}

} // namespace isozyme
