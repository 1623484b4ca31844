//===- ShadowMemory.cpp - Is a shadow memory for these derivatives? -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CallLints that looks at what a shadow is made of: what numbers it holds,
// whether it is still there, and whether it has changed places with its argument.
//
//   long dx[3];                          integers, where the argument holds numbers
//   free(dx); __enzyme_autodiff(f, x, dx)
//   __enzyme_fwddiff(f, dx, x)           by the names in the source
//
// In: a call, as it was read.  Out: what is wrong, in words.
// Never: complains of memory that it knows only a part of.
//
//===----------------------------------------------------------------------===//
#include "CallVariables.h"
#include "Reading/ArgumentTypes.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

Type *declaredElement(const Value *V) {
  const Value *Object = throughVariable(V);
  auto *Variable = dyn_cast<AllocaInst>(Object);
  auto *Global = dyn_cast<GlobalVariable>(Object);
  Type *T = Variable ? Variable->getAllocatedType() : Global ? Global->getValueType() : nullptr;
  while (auto *Array = dyn_cast_or_null<ArrayType>(T))
    T = Array->getElementType();
  bool IsNumber = T && (T->isFloatingPointTy() || (T->isIntegerTy() && !T->isIntegerTy(8)));
  return IsNumber ? T : nullptr;
}

/// Does \p I read a double that is put into a vector, or seen as something else? Two floats are
/// loaded so.
static bool mayCarryFloats(const Instruction &I) {
  return isa<LoadInst>(I) && I.getType()->isDoubleTy() &&
         any_of(I.users(), [](const User *U) { return isa<InsertElementInst, BitCastInst>(U); });
}

/// The floats that are read or written at \p Start, or at any index from there; null if there are
/// none, or several kinds. Members of structs do not count.
static Type *accessedFloat(const Value *Start) {
  SetVector<const Value *> Addresses;
  Addresses.insert(Start);
  Type *Found = nullptr;
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (const Use &U : Addresses[Next]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (auto *At = dyn_cast<GetElementPtrInst>(I)) {
        if (At->getNumIndices() == 1 && At->getSourceElementType()->isFloatingPointTy())
          Addresses.insert(At);
        continue;
      }
      // A variable of code without optimisation, which holds the address.
      if (auto *Store = dyn_cast<StoreInst>(I);
          Store && Store->getValueOperand() == Addresses[Next]) {
        for (const User *Held : Store->getPointerOperand()->users())
          if (isa<LoadInst>(Held) && throughVariable(Held) == Start)
            Addresses.insert(Held);
        continue;
      }
      const Value *Pointer = getLoadStorePointerOperand(I);
      Type *T = Pointer ? getLoadStoreType(I) : nullptr;
      if (!T || !T->isFloatingPointTy() || mayCarryFloats(*I))
        continue;
      if (Found && Found != T)
        return nullptr;
      Found = T;
    }
  return Found;
}

std::string foreignNumbers(const MarkerCall &M, unsigned Param, const Value *Shadow) {
  const DataLayout &DL = M.Call->getModule()->getDataLayout();
  const CallArgument &A = M.Arguments[Param];
  if (A.ByRef || A.Stride || M.Request.Dependence) // Masks are integers.
    return "";
  Type *Wanted = declaredElement(A.Primal);
  if (!Wanted)
    Wanted = accessedFloat(M.Request.Fn->getArg(Param));
  Type *Has = declaredElement(Shadow);
  if (!Has && Wanted)
    if (const Value *Object = throughVariable(Shadow); isNoAliasCall(Object))
      Has = accessedFloat(Object);
  if (!Has || !Wanted || Has == Wanted || !Wanted->isFloatingPointTy())
    return "";
  if (Has->isIntegerTy())
    return "holds integers, and the argument itself numbers of " +
           std::to_string(DL.getTypeAllocSize(Wanted).getFixedValue()) + " bytes";
  return "holds numbers of " + std::to_string(DL.getTypeAllocSize(Has).getFixedValue()) +
         " bytes, and the argument itself of " +
         std::to_string(DL.getTypeAllocSize(Wanted).getFixedValue());
}

std::string foreignArgument(const MarkerCall &M, unsigned Param) {
  const DataLayout &DL = M.Call->getModule()->getDataLayout();
  const CallArgument &A = M.Arguments[Param];
  const Argument *Parameter = M.Request.Fn->getArg(Param);
  if (!A.Primal || A.ByRef || !Parameter->getType()->isPointerTy())
    return "";
  Type *Has = declaredElement(A.Primal), *Wanted = accessedFloat(Parameter);
  if (!Has || !Wanted || Has == Wanted || !Has->isFloatingPointTy())
    return "";
  return "consists of numbers of " + std::to_string(DL.getTypeAllocSize(Has).getFixedValue()) +
         " bytes, and the function takes them for numbers of " +
         std::to_string(DL.getTypeAllocSize(Wanted).getFixedValue());
}

bool isOfUnsetVariable(const Value *V) {
  if (isa<UndefValue>(V))
    return true;
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  return Variable && all_of(Variable->users(), [](const User *U) {
           return isa<LoadInst>(U) || cast<Instruction>(U)->isLifetimeStartOrEnd();
         });
}

/// All that reads \p V, directly or from the variable that holds it.
static SmallVector<const User *, 8> usersOf(const Value *V) {
  SmallVector<const User *, 8> All(V->users());
  for (const User *U : V->users())
    if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == V)
      for (const User *Held : Store->getPointerOperand()->users())
        if (isa<LoadInst>(Held) && throughVariable(Held) == V)
          append_range(All, Held->users());
  return All;
}

/// free, delete, and what the user has registered.
static bool isRelease(const Function &F) {
  return F.getReturnType()->isVoidTy() && (managesMemory(F) || F.getName().starts_with("_ZdlPv") ||
                                           F.getName().starts_with("_ZdaPv"));
}

const CallBase *releasedBefore(const Value *Shadow, CallBase &Call) {
  const Value *Memory = throughVariable(Shadow);
  if (isa<Constant>(Memory))
    return nullptr;
  SmallVector<const CallBase *, 2> Releases;
  for (const User *U : usersOf(Memory)) {
    auto *Release = dyn_cast<CallBase>(U);
    const Function *F = Release ? Release->getCalledFunction() : nullptr;
    if (F && Release->arg_size() && throughVariable(Release->getArgOperand(0)) == Memory &&
        isRelease(*F))
      Releases.push_back(Release);
  }
  if (Releases.empty())
    return nullptr;
  const DominatorTree Dominators(*Call.getFunction());
  auto *Before =
      find_if(Releases, [&](const CallBase *R) { return Dominators.dominates(R, &Call); });
  return Before == Releases.end() ? nullptr : *Before;
}

/// The variable of the source that is, or holds, \p V.
static StringRef variableName(const Value *V) {
  V = V->stripPointerCasts();
  if (auto *G = dyn_cast<GlobalVariable>(V))
    return G->getName();
  if (auto *Load = dyn_cast<LoadInst>(V))
    V = Load->getPointerOperand();
  Value *Known = const_cast<Value *>(V); // What these ask for, and leave as it is.
  TinyPtrVector<DbgVariableRecord *> Records = findDVRDeclares(Known);
  if (Records.empty())
    Records = findDVRValues(Known);
  if (auto *Slot = dyn_cast<AllocaInst>(Known); Slot && Records.empty())
    for (DbgVariableRecord *R : at::getDVRAssignmentMarkers(Slot))
      Records.push_back(R);
  return Records.empty() ? "" : Records.front()->getVariable()->getName();
}

std::string exchangedNames(const Value *Primal, const Value *Shadow) {
  StringRef Value = variableName(Primal), Derivative = variableName(Shadow);
  for (StringRef Prefix : {"d", "d_", "grad_"})
    if (StringRef Rest = Value;
        !Derivative.empty() && Rest.consume_front(Prefix) && Rest == Derivative)
      return ("is '" + Derivative + "', and the argument itself '" + Value + "'").str();
  return "";
}

} // namespace isozyme
