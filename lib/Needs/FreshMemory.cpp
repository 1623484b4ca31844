//===- FreshMemory.cpp - Memory that the derivative has made --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/FreshMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Types/MemoryGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// Is memory with this root there before the derivative runs? Constants are, but their shadow
/// never holds a derivative.
static bool isOld(const Value &Root, const DiffRequest &R, const TargetLibraryInfo &TLI) {
  if (auto *A = dyn_cast<Argument>(&Root))
    return !R.isFresh(A->getArgNo());
  if (auto *GV = dyn_cast<GlobalVariable>(&Root))
    return !GV->isConstant();
  auto *Call = dyn_cast<CallBase>(&Root);
  if (!Call)
    return !isa<AllocaInst>(Root);
  const Function *Callee = Call->getCalledFunction();
  bool HasBody = Callee && !Callee->isDeclaration() && !Callee->isInterposable();
  return !HasBody && viewOf(*Call, TLI).Class != OpClass::Allocate;
}

/// Marks \p Start and what it leads to.
static void reachFrom(unsigned Start, const MemoryGraph &G, SmallVectorImpl<bool> &Reached) {
  SmallVector<unsigned, 16> Work = {G.find(Start)};
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    if (Reached[N])
      continue;
    Reached[N] = true;
    for (const auto &[Key, Cell] : G.node(N).Cells)
      if (Cell.Target.isValid())
        Work.push_back(G.find(Cell.Target.Node));
  }
}

FreshMemory::FreshMemory(const TypeResult &Types, const DiffRequest &R,
                         const TargetLibraryInfo &TLI)
    : Types(Types), TLI(TLI), Old(Types.memory().size(), false) {
  const MemoryGraph &G = Types.memory();
  for (unsigned N = 0; N != G.size(); ++N) {
    if (!G.isRepresentative(N))
      continue;
    const MemoryNode &Node = G.node(N);
    if (Node.External || Node.Opaque ||
        any_of(Node.Roots, [&](const Value *Root) { return isOld(*Root, R, TLI); }))
      reachFrom(N, G, Old);
  }
}

/// Has this run of the function made all that \p Ptr may point to, by what its address is computed
/// from?
static bool isMadeHere(const Value *Ptr, const TargetLibraryInfo &TLI) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects);
  return all_of(Objects, [&](const Value *Object) {
    auto *Call = dyn_cast<CallBase>(Object);
    return isa<AllocaInst>(Object) || (Call && isAllocation(*Call, TLI));
  });
}

bool FreshMemory::holds(const Value *Ptr) const {
  PointerTarget Place = Types.placeOf(Ptr);
  return (Place.isValid() && !Old[Types.memory().find(Place.Node)]) || isMadeHere(Ptr, TLI);
}

bool FreshMemory::holdsAllBehind(const Value *Ptr) const {
  PointerTarget Place = Types.placeOf(Ptr);
  if (!Place.isValid())
    return false;
  const MemoryGraph &G = Types.memory();
  SmallVector<bool> Behind(G.size(), false);
  reachFrom(Place.Node, G, Behind);
  return none_of(seq<unsigned>(0, G.size()), [&](unsigned N) { return Behind[N] && Old[N]; });
}

void noteFreshArguments(const FreshMemory &Fresh, CalleeEffects &Effects, CallPlanSet &Calls) {
  for (auto &[Call, Plan] : Calls) {
    if (Plan.K != CallPlan::Differentiate || !Plan.Callee.isSplit())
      continue;
    DiffRequest &Callee = Plan.Callee;
    Callee.Fresh.clear();
    if (hasCustomRule(Callee) || !Effects.fills(*Callee.Fn))
      continue;
    for (unsigned I = 0; I < Callee.Args.size(); ++I)
      if (Callee.hasShadow(I) && Call->getArgOperand(I)->getType()->isPointerTy() &&
          Fresh.holdsAllBehind(Call->getArgOperand(I))) {
        Callee.Fresh.resize(Callee.Args.size());
        Callee.Fresh[I] = true;
      }
  }
}

} // namespace isozyme
