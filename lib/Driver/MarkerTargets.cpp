//===- MarkerTargets.cpp - What marker calls lead to ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, in code that nothing has simplified, which functions marker calls name, and
// which functions pass a name on to them (`template <class F> auto gradient(F f, ...)`).
// KeepTargetsPass makes LLVM keep both until Isozyme runs: wrappers are inlined, and
// bodies that are here only for inlining (C's `inline`, C++'s `extern template`) are
// not thrown away meanwhile. Never: reads more of a call than its first operand.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Driver/DeviceMath.h"
#include "isozyme/Driver/Differentiate.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Requests/Launches.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Values/DeclaredFloats.h"
#include "isozyme/Values/KnownMultiple.h"
#include "isozyme/Values/NamedCopies.h"
#include "isozyme/Values/NamedMembers.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Names the functions whose linkage has been changed.
static constexpr StringLiteral KeptMetadata = "isozyme.kept";

Function *definedFunction(Value *V) {
  auto *F = dyn_cast<Function>(V->stripPointerCasts());
  return F && !F->isDeclaration() ? F : nullptr;
}

/// May \p V, as unsimplified code computes it, come from an argument of the
/// function? Follows values through memory of the function's own.
static bool comesFromArgument(Value *V) {
  SetVector<Value *> Work;
  Work.insert(V);
  for (unsigned I = 0; I < Work.size(); ++I) {
    if (isa<Argument>(Work[I]))
      return true;
    auto *Inst = dyn_cast<Instruction>(Work[I]);
    if (!Inst)
      continue;
    Work.insert_range(Inst->operand_values());
    if (!isa<AllocaInst>(Inst) && !isa<GetElementPtrInst>(Inst))
      continue;
    for (User *U : Inst->users())
      if (isa<StoreInst>(U) || isa<GetElementPtrInst>(U) || isa<CallBase>(U))
        Work.insert(U);
  }
  return false;
}

void MarkerTargets::addUnresolved(Function &F, Value &Target) {
  if (!Unresolved.insert(&F) || !comesFromArgument(&Target))
    return;
  SmallVector<CallBase *, 4> Calls;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
      Calls.push_back(Call);
  if (Calls.empty())
    return;
  Wrappers.insert(&F);
  for (CallBase *Call : Calls)
    for (Value *Argument : Call->args())
      if (Argument->getType()->isPointerTy() && !definedFunction(Argument))
        addUnresolved(*Call->getFunction(), *Argument);
      else
        Unresolved.insert(Call->getFunction());
}

MarkerTargets::MarkerTargets(Module &M) {
  for (CallBase *Call : findMarkerCalls(M)) {
    unsigned Number = functionOperandNumber(*Call);
    if (Number >= Call->arg_size())
      continue;
    Value *Target = Call->getArgOperand(Number);
    if (Function *F = definedFunction(Target))
      Named.insert(F);
    else if (!isa<Constant>(Target->stripPointerCasts()))
      addUnresolved(*Call->getFunction(), *Target);
  }
}

SetVector<Function *> MarkerTargets::roots() const {
  SetVector<Function *> Roots = Named;
  Roots.insert_range(Unresolved);
  return Roots;
}

void addReachable(SetVector<Function *> &Reached, function_ref<bool(Function &)> Skip) {
  for (unsigned I = 0; I < Reached.size(); ++I)
    for (Instruction &Inst : instructions(*Reached[I]))
      for (Value *Operand : Inst.operand_values())
        if (Function *F = definedFunction(Operand); F && !Skip(*F))
          Reached.insert(F);
}

/// Wrappers disappear into their callers, where it is known what they pass.
static bool inlineWrappers(const MarkerTargets &Targets) {
  bool Changed = false;
  for (Function *F : Targets.Wrappers) {
    if (F->hasFnAttribute(Attribute::NoInline) || F->hasFnAttribute(Attribute::AlwaysInline))
      continue;
    F->addFnAttr(Attribute::AlwaysInline);
    Changed = true;
  }
  return Changed;
}

/// LLVM throws away bodies that are also in another object file, once it has done
/// its inlining. With this linkage it keeps those that are referred to.
static bool keepBodies(Module &M, SetVector<Function *> Reached) {
  addReachable(Reached, [](Function &) { return false; });
  // LLVM tells a profiler of no function that another object file has: that file may not have it.
  AttributeMask Announced;
  Announced.addAttribute("instrument-function-entry");
  Announced.addAttribute("instrument-function-exit");
  NamedMDNode *Kept = nullptr;
  for (Function *F : Reached) {
    if (!F->hasAvailableExternallyLinkage())
      continue;
    F->setLinkage(GlobalValue::LinkOnceODRLinkage);
    F->removeFnAttrs(Announced);
    if (!Kept)
      Kept = M.getOrInsertNamedMetadata(KeptMetadata);
    Kept->addOperand(MDNode::get(M.getContext(), ValueAsMetadata::get(F)));
  }
  return Kept;
}

/// Strings, streams and the like count as inactive by the names of their functions, all or none:
/// if LLVM inlined some, those would write addresses of which the others know nothing.
static bool pinRuntimeCalls(SetVector<Function *> Reached) {
  auto IsRuntime = [](Function &F) { return isInactiveRuntimeName(F.getName()); };
  addReachable(Reached, IsRuntime);
  bool Changed = false;
  for (Function *F : Reached)
    for (Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? definedFunction(Call->getCalledOperand()) : nullptr;
      if (!Callee || !IsRuntime(*Callee) || Call->hasFnAttr(Attribute::NoInline))
        continue;
      Call->addFnAttr(Attribute::NoInline);
      Call->addFnAttr(Attribute::get(Call->getContext(), PinnedAttribute));
      Changed = true;
    }
  return Changed;
}

/// Functions whose calls mean more than their body stay callable; those of a file without
/// requests only if it is to be linked with others before it is differentiated.
static bool pinTargets(Module &M) {
  bool IsLinkedLater = M.getModuleFlag("ThinLTO") || M.getModuleFlag("EnableSplitLTOUnit");
  bool HasMath = hasRequests(M) && markDeviceMath(M);
  if (!(hasAnnotations(M) || HasMath) || !(hasRequests(M) || IsLinkedLater))
    return false;
  if (IsLinkedLater)
    keepRegistrations(M);
  consumeError(applyAnnotations(M));     // Told when the requests are read.
  const bool Changed = lowerLaunches(M); // While they are as the front end writes them.
  return pinMarked(M) || Changed;
}

/// A marker that nobody else sees (`static int enzyme_dup;`, or one of the whole program when it is
/// linked) would become the number 0. It is declared instead of defined until the calls are read.
static bool keepMarkers(Module &M) {
  bool Changed = false;
  for (GlobalVariable &G : M.globals()) {
    bool IsPlain = G.hasLocalLinkage() && G.hasInitializer() && G.getInitializer()->isNullValue() &&
                   markerByName(G.getName()) && all_of(G.users(), [](const User *U) {
                     auto *Load = dyn_cast<LoadInst>(U);
                     return Load && !Load->isVolatile();
                   });
    if (!IsPlain)
      continue;
    G.setInitializer(nullptr);
    G.setConstant(false);
    G.setLinkage(GlobalValue::ExternalLinkage);
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses KeepTargetsPass::run(Module &M, ModuleAnalysisManager &) {
  noteNamedBytes(M); // The functions of a library may be differentiated when it is linked.
  describeCheckpointCalls(M);
  bool Pinned = nameMembers(M);
  Pinned |= pinTargets(M);
  if (hasRequests(M))
    Pinned |= keepMarkers(M);
  if (!hasRequests(M) || PinOnly)
    return Pinned ? PreservedAnalyses::none() : PreservedAnalyses::all();
  for (Function &F : M) {
    markDeclaredPointers(F);
    markElementDistances(F);
    markDeclaredFloats(F);
  }
  MarkerTargets Targets(M);
  bool Changed = inlineWrappers(Targets) || Pinned;
  Changed |= keepBodies(M, Targets.roots());
  Changed |= pinRuntimeCalls(Targets.roots());
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void releaseTargets(Module &M) {
  unpinMarked(M);
  NamedMDNode *Kept = M.getNamedMetadata(KeptMetadata);
  if (!Kept)
    return;
  for (MDNode *Entry : Kept->operands())
    if (auto *F = mdconst::dyn_extract_or_null<Function>(Entry->getOperand(0)))
      if (!F->isDeclaration() && F->hasLinkOnceODRLinkage())
        F->setLinkage(GlobalValue::AvailableExternallyLinkage);
  Kept->eraseFromParent();
}

} // namespace isozyme
