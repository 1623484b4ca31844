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
    : Types(Types), Old(Types.memory().size(), false) {
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

bool FreshMemory::holds(const Value *Ptr) const {
  PointerTarget Place = Types.placeOf(Ptr);
  return Place.isValid() && !Old[Types.memory().find(Place.Node)];
}

bool FreshMemory::holdsAllBehind(const Value *Ptr) const {
  if (!holds(Ptr))
    return false;
  const MemoryGraph &G = Types.memory();
  SmallVector<bool> Behind(G.size(), false);
  reachFrom(Types.placeOf(Ptr).Node, G, Behind);
  return none_of(seq<unsigned>(0, G.size()), [&](unsigned N) { return Behind[N] && Old[N]; });
}

/// The instruction that runs before \p I in any case, as far as blocks tell; null if there are
/// several.
static const Instruction *before(const Instruction &I) {
  if (const Instruction *Previous = I.getPrevNode())
    return Previous;
  const BasicBlock *Above = I.getParent()->getSinglePredecessor();
  return Above ? Above->getTerminator() : nullptr;
}

/// May \p I access bytes \p First to \p End of what \p Allocated points to, or make the address
/// known to others? It runs before anything else could know it.
static bool mayAccess(const Instruction &I, const Value *Allocated, int64_t First, int64_t End) {
  const DataLayout &DL = I.getDataLayout();
  for (const Use &U : I.operands()) {
    if (!U->getType()->isPointerTy() || getUnderlyingObject(U) != Allocated)
      continue;
    if (isa<GetElementPtrInst>(I))
      continue;
    if (getLoadStorePointerOperand(&I) != U || (isa<StoreInst>(I) && U.getOperandNo() == 0))
      return true;
    int64_t Offset = 0;
    TypeSize Size = DL.getTypeStoreSize(getLoadStoreType(&I));
    if (GetPointerBaseWithConstantOffset(U, Offset, DL) != Allocated || Size.isScalable() ||
        (Offset < End && First < Offset + int64_t(Size.getFixedValue())))
      return true;
  }
  return false;
}

bool isFirstAccess(const MemSetInst &M, const TargetLibraryInfo &TLI) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  int64_t First = 0;
  auto *Allocated = dyn_cast<CallBase>(
      GetPointerBaseWithConstantOffset(M.getRawDest(), First, M.getDataLayout()));
  if (!Length || !Allocated || !isAllocation(*Allocated, TLI))
    return false;
  int64_t End = First + int64_t(Length->getZExtValue());
  constexpr unsigned MaxDistance = 100; // In instructions.
  const Instruction *I = before(M);
  for (unsigned Distance = 0; I && Distance != MaxDistance; I = before(*I), ++Distance) {
    if (I == Allocated)
      return true;
    if (mayAccess(*I, Allocated, First, End))
      return false;
  }
  return false;
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
