//===- IndirectCalls.cpp - Calls through pointers as direct calls ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges the bodies of functions with indirect calls for copies in which these are
// chains of direct calls, and library functions that call back are ordinary code
// (LowerCallbacks), and internal procedures are passed without code on the stack
// (InternalProcedures). Which functions a call can reach is asked of CallTargets; here is
// what becomes of the answer. On the way marks the functions that only print, and calls
// that no function fits, unless every run of a differentiated function comes to them: an
// optional callback that nobody passes is no error.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Prepare/IndirectCalls.h"
#include "CallTargets.h"
#include "InternalProcedures.h"
#include "LowerCallbacks.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Values/NamedCopies.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// A call through a pointer that nobody has looked at yet.
static bool isOpen(const CallBase &Call) {
  return Call.isIndirectCall() && !isa<CallBrInst>(Call) && !isUnlisted(Call) &&
         !Call.hasFnAttr(marking::NoCandidate);
}

/// A body whose blocks have addresses cannot be moved.
static bool mayExchange(const Function &F) {
  return none_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); }) &&
         !F.hasFnAttribute(Attribute::Naked);
}

/// The blocks of \p From become those of \p To, which has none.
static void moveBody(Function &From, Function &To) {
  // Debug records of a value are dropped when it moves to another subprogram.
  From.setSubprogram(nullptr);
  To.setSubprogram(nullptr);
  To.setPersonalityFn(From.hasPersonalityFn() ? From.getPersonalityFn() : nullptr);
  To.splice(To.end(), &From);
  for (auto [Old, New] : zip_equal(From.args(), To.args()))
    Old.replaceAllUsesWith(&New);
}

static Function *emptyLike(const Function &F) {
  auto *Holder = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                                  F.getName() + ".own", const_cast<Module *>(F.getParent()));
  Holder->setAttributes(F.getAttributes());
  Holder->addFnAttr(marking::PutAside);
  return Holder;
}

/// Puts the body of \p F aside, into the function returned; \p F has a copy of it now.
static Function *exchangeBody(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map), *Holder = emptyLike(F);
  DISubprogram *Own = F.getSubprogram(), *Copied = Copy->getSubprogram();
  moveBody(F, *Holder);
  moveBody(*Copy, F);
  Holder->setSubprogram(Own);
  F.setSubprogram(Copied);
  Copy->eraseFromParent();
  return Holder;
}

/// Gives \p F the body of \p Holder, which goes away.
static void restoreBody(Function &F, Function &Holder) {
  for (BasicBlock &BB : F)
    BB.dropAllReferences();
  while (!F.empty())
    F.begin()->eraseFromParent();
  DISubprogram *Own = Holder.getSubprogram();
  moveBody(Holder, F);
  F.setSubprogram(Own);
  Holder.eraseFromParent();
}

/// Makes \p Call a chain over \p Targets; the last one needs no comparison where there
/// can be no other. Adds the direct calls to \p Made.
static void resolve(CallBase &Call, const CallTargets::Answer &Targets,
                    SmallVectorImpl<CallBase *> &Made) {
  if (takesCallback(Call))
    return lowerCallback(cast<CallInst>(Call));
  ArrayRef<Function *> Each = Targets.Functions;
  if (Each.empty())
    return Call.addFnAttr(Attribute::get(Call.getContext(), marking::NoCandidate));
  for (Function *F : Targets.Complete ? Each.drop_back() : Each)
    Made.push_back(&promoteCallWithIfThenElse(Call, F));
  if (Targets.Complete)
    Made.push_back(&promoteCall(Call, Each.back()));
  else
    Call.addFnAttr(Attribute::get(Call.getContext(), marking::Unlisted));
}

/// Does \p Call pass a constant that decides which way its callee goes, as the operation that a
/// std::function asks of the code that manages its closure?
static bool decidesWay(const CallBase &Call) {
  const Function &Callee = *Call.getCalledFunction();
  return any_of(Callee.args(), [&](const Argument &A) {
    return isa<ConstantInt>(Call.getArgOperand(A.getArgNo())) &&
           any_of(A.users(), [](const User *U) {
             return isa<SwitchInst>(U) || (isa<ICmpInst>(U) && isa<Constant>(U->getOperand(1)));
           });
  });
}

/// What LLVM would have done, had it known what is called: small functions mean most
/// where it is known what they are called with. \p Inner: the calls that were in the callee.
static bool inlineSmall(CallBase &Call, SmallVectorImpl<CallBase *> &Inner) {
  constexpr unsigned MostInstructions = 100;
  Function *Callee = Call.getCalledFunction(), *Caller = Call.getFunction();
  if (!Callee || Callee->isDeclaration() || Callee == Caller || Callee->isInterposable() ||
      Callee->hasOptNone() || Callee->getInstructionCount() > MostInstructions ||
      hasMarkedMeaning(*Callee) || !isInlineViable(*Callee).isSuccess())
    return false;
  // The user's program keeps the call.
  if (Callee->hasFnAttribute(Attribute::NoInline) && !decidesWay(Call))
    return false;
  // Chains in chains would grow without end.
  for (const Instruction &I : instructions(*Callee))
    if (auto *Further = dyn_cast<CallBase>(&I))
      if (Further->isIndirectCall() || takesCallback(*Further) ||
          Further->getCalledFunction() == Caller || Further->getCalledFunction() == Callee)
        return false;
  InlineFunctionInfo Info;
  if (!inlineWithNames(Call, Info))
    return false;
  append_range(Inner, Info.InlinedCallSites);
  return true;
}

/// The same of \p Made, and of what these hand the deciding constant on to.
static void inlineSmall(SmallVector<CallBase *, 8> Made) {
  constexpr unsigned Most = 256; // Calls looked at.
  const unsigned Direct = Made.size();
  for (unsigned K = 0; K < Made.size() && K < Direct + Most; ++K) {
    const Function *Callee = Made[K]->getCalledFunction();
    if (K < Direct || (Callee && !Callee->isDeclaration() && decidesWay(*Made[K])))
      inlineSmall(*Made[K], Made);
  }
}

namespace {
struct OpenCall {
  unsigned Number;             ///< Among the instructions of the function.
  CallTargets::Answer Targets; ///< None for a library call with a callback.
};
} // namespace

/// The blocks that each run of \p F comes to, if it comes to an end.
static SmallPtrSet<const BasicBlock *, 8> certainBlocks(Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Certain;
  PostDominatorTree Tree(F);
  for (auto *Node = Tree.getNode(&F.getEntryBlock()); Node && Node->getBlock();
       Node = Node->getIDom())
    Certain.insert(Node->getBlock());
  return Certain;
}

/// A function that no run of a derivative gets round.
static void addCertainCallees(Function &F, SmallPtrSetImpl<const Function *> &Certain) {
  for (const BasicBlock *BB : certainBlocks(F))
    for (const Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        Certain.insert(Call->getCalledFunction());
}

static SmallVector<OpenCall, 4> openCalls(Function &F, CallTargets &Targets, bool Callbacks,
                                          bool IsCertain) {
  SmallVector<OpenCall, 4> Open;
  std::optional<SmallPtrSet<const BasicBlock *, 8>> Blocks; // Made when they are asked for.
  auto surelyRuns = [&](const BasicBlock *BB) {
    if (!Blocks)
      Blocks = certainBlocks(F);
    return Blocks->contains(BB);
  };
  unsigned Number = 0;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isOpen(*Call)) {
      CallTargets::Answer A = Targets.of(*Call);
      // Before the code is simplified, a later look may find more.
      bool Wait = A.Functions.empty() && (!Callbacks || (IsCertain && surelyRuns(I.getParent())));
      if (A.Functions.size() <= MaxCandidates && !Wait)
        Open.push_back({Number, std::move(A)});
    }
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Callbacks && takesCallback(*Call))
      Open.push_back({Number, {}});
    ++Number;
  }
  return Open;
}

/// The open calls of \p F, found in another body of the same code.
static SmallVector<CallBase *, 4> callsAt(Function &F, ArrayRef<OpenCall> Open) {
  SmallVector<CallBase *, 4> Calls;
  unsigned Number = 0;
  for (Instruction &I : instructions(F))
    if (Calls.size() < Open.size() && Open[Calls.size()].Number == Number++)
      Calls.push_back(cast<CallBase>(&I));
  return Calls;
}

void IndirectCalls::resolveIn(Function &F, CallTargets &Targets, bool Callbacks, bool IsCertain) {
  SmallVector<OpenCall, 4> Open = openCalls(F, Targets, Callbacks, IsCertain);
  const bool PassesInternal = passesInternalProcedures(F);
  if (Open.empty() && !PassesInternal)
    return;
  Changed.push_back(&F);
  Holders.push_back(exchangeBody(F));
  SmallVector<CallBase *, 8> Made;
  for (auto [Call, What] : zip_equal(callsAt(F, Open), Open))
    resolve(*Call, What.Targets, Made);
  inlineSmall(std::move(Made));
  if (PassesInternal)
    lowerInternalProcedures(F);
}

IndirectCalls::IndirectCalls(Module &M, SetVector<Function *> Roots, bool Callbacks) {
  CallTargets Targets(M);
  SmallPtrSet<const Function *, 8> Certain(Roots.begin(), Roots.end());
  for (unsigned Next = 0; Next < Roots.size(); ++Next) {
    Function &F = *Roots[Next];
    if (onlyPrints(F, [&](const CallBase &Call) { return Targets.of(Call).Functions; })) {
      F.addFnAttr(marking::OnlyPrints);
      continue; // Nothing in it is differentiated.
    }
    if (mayExchange(F))
      resolveIn(F, Targets, Callbacks, Certain.contains(&F));
    if (Certain.contains(&F))
      addCertainCallees(F, Certain);
    for (Instruction &I : instructions(F))
      for (Value *Operand : I.operand_values())
        if (auto *G = dyn_cast<Function>(Operand->stripPointerCasts()); G && !G->isDeclaration())
          Roots.insert(G);
  }
}

void IndirectCalls::putBack() {
  for (auto [F, Holder] : zip_equal(Changed, Holders))
    restoreBody(*F, *Holder);
  Changed.clear();
  Holders.clear();
}

} // namespace isozyme
