//===- CalleeEffects.cpp - What memory a call may access ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Values/MemoryObjects.h"
#include "isozyme/Values/ReturningBlocks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

ModRefInfo visibleEffects(MemoryEffects Effects) {
  return Effects.getModRef(IRMemLocation::ArgMem) | Effects.getModRef(IRMemLocation::Other);
}

/// The function whose body says what a call does. Of one with registered derivatives it
/// does not: a derivative calls those in its place.
static const Function *definitionOf(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
  bool HasBody = F && !F->isDeclaration() && !F->isInterposable() &&
                 F->getFunctionType() == Call.getFunctionType();
  return HasBody && !customRules(*F).hasReverse() ? F : nullptr;
}

/// What the attributes of a parameter allow.
static ModRefInfo allowedAccess(const CallBase &Call, unsigned Operand) {
  if (Call.doesNotAccessMemory(Operand))
    return ModRefInfo::NoModRef;
  if (Call.onlyReadsMemory(Operand))
    return ModRefInfo::Ref;
  return Call.onlyWritesMemory(Operand) ? ModRefInfo::Mod : ModRefInfo::ModRef;
}

/// The effects of an access through \p Ptr on memory that exists before and after the
/// function runs.
static MemoryEffects through(const Value *Ptr, ModRefInfo Access, const Function &In) {
  MemoryEffects Effects = MemoryEffects::none();
  for (const Value *Object : accessedObjects(Ptr, In)) {
    if (isa<AllocaInst>(Object) || isNoAliasCall(Object))
      continue;
    if (!isIdentifiedObject(Object) || isa<Argument>(Object))
      Effects |= MemoryEffects::argMemOnly(Access);
    if (!isa<Argument>(Object))
      Effects |= MemoryEffects::otherMemOnly(Access);
  }
  return Effects;
}

/// What is known of a call without its callee's body.
static MemoryEffects declaredEffects(const CallBase &Call, const TargetLibraryInfo &TLI) {
  MemoryEffects Declared = Call.getMemoryEffects();
  OpClass Class = viewOf(Call, TLI).Class;
  if (Class == OpClass::Elementwise || Class == OpClass::Zero)
    return Declared & (MemoryEffects::errnoMemOnly() | MemoryEffects::argMemOnly());
  if (Class == OpClass::Allocate || Class == OpClass::Free)
    return Declared & MemoryEffects::inaccessibleOrArgMemOnly();
  return Declared;
}

/// From what is known of callees so far.
MemoryEffects CalleeEffects::now(const CallBase &Call) {
  auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*const_cast<Function *>(Call.getFunction()));
  MemoryEffects Effects = declaredEffects(Call, TLI);
  if (const Function *F = definitionOf(Call))
    Effects &= Known.at(F);
  return Effects;
}

MemoryEffects CalleeEffects::ofBody(const Function &F) {
  MemoryEffects Effects = MemoryEffects::none();
  SmallPtrSet<const BasicBlock *, 32> Returning = returningBlocks(F);
  for (const Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory() || !Returning.contains(I.getParent()))
      continue;
    if (I.isAtomic() || I.isVolatile())
      return MemoryEffects::unknown();
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      MemoryEffects Inner = now(*Call);
      Effects |= Inner.getWithoutLoc(IRMemLocation::ArgMem);
      ModRefInfo OfArgs = Inner.getModRef(IRMemLocation::ArgMem);
      for (const Use &Arg : Call->data_ops())
        if (Arg->getType()->isPtrOrPtrVectorTy())
          Effects |= through(Arg, OfArgs & allowedAccess(*Call, Call->getDataOperandNo(&Arg)), F);
      continue;
    }
    std::optional<MemoryLocation> Where = MemoryLocation::getOrNone(&I);
    if (!Where)
      return MemoryEffects::unknown();
    ModRefInfo Access = (I.mayReadFromMemory() ? ModRefInfo::Ref : ModRefInfo::NoModRef) |
                        (I.mayWriteToMemory() ? ModRefInfo::Mod : ModRefInfo::NoModRef);
    Effects |= through(Where->Ptr, Access, F);
  }
  return Effects;
}

/// \p F and all that it calls: from "none of them does anything" on, until no body says
/// more. Functions that call each other need no case of their own.
void CalleeEffects::learn(const Function &F) {
  if (Known.count(&F))
    return;
  SetVector<const Function *> Reached;
  Reached.insert(&F);
  for (size_t Next = 0; Next < Reached.size(); ++Next)
    for (const Instruction &I : instructions(*Reached[Next]))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = definitionOf(*Call); Callee && !Known.count(Callee))
          Reached.insert(Callee);
  for (const Function *Each : Reached)
    Known.insert({Each, MemoryEffects::none()});
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function *Each : reverse(Reached)) {
      MemoryEffects Effects = ofBody(*Each);
      Changed |= Effects != Known.at(Each);
      Known.insert_or_assign(Each, Effects);
    }
  }
}

PointerTargets CalleeEffects::targetsIn(const Function &F, ArrayRef<bool> Own) {
  auto &TLI = FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(F));
  return PointerTargets(F, TLI, [this](const CallBase &Call) { return addressesOf(Call); }, Own);
}

AddressEffects CalleeEffects::addressesInBody(const Function &F) {
  PointerTargets Targets = targetsIn(F);
  AddressEffects Found{Targets.flows(), SmallBitVector(F.arg_size()),
                       SmallBitVector(Targets.outside()), Targets.spans()};
  auto note = [&](const PointerTargets::Places &Memory) {
    for (unsigned Place : Memory)
      if (std::optional<unsigned> Arg = Targets.argumentOf(Place))
        Found.ReadsBehind.set(*Arg);
  };
  for (const Instruction &I : instructions(F)) {
    if (auto *L = dyn_cast<LoadInst>(&I); L && L->getType()->isPtrOrPtrVectorTy())
      note(Targets.of(L->getPointerOperand()));
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const AddressEffects Inner = addressesOf(*Call);
      for (unsigned Arg : Inner.ReadsBehind.set_bits())
        note(Targets.of(Call->getArgOperand(Arg)));
    }
  }
  SmallPtrSet<const BasicBlock *, 32> Returning = returningBlocks(F);
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!I.mayWriteToMemory() || !Returning.contains(I.getParent()) ||
        (Call && !isModSet(visibleEffects(of(*Call)))))
      continue;
    std::optional<PointerTargets::Places> Written = Targets.writtenBy(I);
    // What waits for other threads sees what they have written.
    if (!Written || I.isAtomic() || I.isVolatile() || Targets.hasUnknown(*Written)) {
      Found.Writes.reset();
      break;
    }
    for (unsigned Place : *Written)
      if (Targets.isOutside(Place))
        Found.Writes->set(Place);
  }
  return Found;
}

AddressEffects CalleeEffects::addressesOf(const CallBase &Call) {
  const Function *F = definitionOf(Call);
  if (!F || F->isVarArg()) {
    AddressEffects Unknown;
    if (!isModSet(visibleEffects(of(Call))))
      Unknown.Writes.emplace();
    return Unknown;
  }
  // Functions that call each other are known when the outermost one is: until then, nothing.
  auto [It, New] = Addresses.insert({F, AddressEffects()});
  if (!New)
    return It->second;
  AddressEffects Found = addressesInBody(*F);
  Addresses[F] = Found;
  return Found;
}

/// May \p F, or what it calls by name, run an instruction that \p IsSuch is true of?
static bool mayRun(const Function &F, DenseMap<const Function *, bool> &Known,
                   function_ref<bool(const Instruction &)> IsSuch) {
  if (auto It = Known.find(&F); It != Known.end())
    return It->second;
  SetVector<const Function *> Reached;
  Reached.insert(&F);
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    if (Known.lookup(Reached[Next]))
      return Known[&F] = true;
    for (const Instruction &I : instructions(*Reached[Next])) {
      if (IsSuch(I))
        return Known[&F] = Known[Reached[Next]] = true;
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = definitionOf(*Call))
          Reached.insert(Callee);
    }
  }
  for (const Function *Each : Reached)
    Known[Each] = false;
  return false;
}

bool CalleeEffects::fills(const Function &F) {
  return mayRun(F, Fills, [](const Instruction &I) { return isa<AnyMemSetInst>(I); });
}

bool CalleeEffects::releases(const CallBase &Call) {
  auto IsRelease = [&](const Instruction &I) {
    auto *Inner = dyn_cast<CallBase>(&I);
    return Inner && viewOf(*Inner, FAM.getResult<TargetLibraryAnalysis>(
                                       *const_cast<Function *>(I.getFunction())))
                            .Class == OpClass::Free;
  };
  const Function *F = definitionOf(Call);
  return F ? mayRun(*F, Releases, IsRelease) : IsRelease(Call);
}

MemoryEffects CalleeEffects::of(const CallBase &Call) {
  if (const Function *F = definitionOf(Call))
    learn(*F);
  return now(Call);
}

} // namespace isozyme
