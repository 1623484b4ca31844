//===- CallTargets.cpp - Which functions a pointer can lead to -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CallTargets.h"
#include "AddressFlow.h"
#include "VirtualTables.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Follows one pointer back to the functions that it can be.
class TargetTrace {
public:
  /// False if it may be others than those in Found.
  bool run(const Value *Pointer);
  SetVector<const Function *> Found;

private:
  enum Role : bool { Target, Memory }; ///< The pointer called; where such a one lies.
  void add(const Value *V, Role R) {
    if (Seen.insert({V, R}).second)
      Work.push_back({V, R});
  }
  bool follow(const Value *V, Role R);
  bool followArgument(const Argument &A, Role R);
  bool followResult(const CallBase &Call, Role R);
  bool readFrom(const Value *Object);
  bool addStoredIn(const Value *Object);
  void addFunctionsIn(const Constant &C);

  static constexpr unsigned MaxSteps = 512;
  SmallVector<std::pair<const Value *, Role>, 16> Work;
  DenseSet<std::pair<const Value *, unsigned>> Seen;
};

bool TargetTrace::run(const Value *Pointer) {
  add(Pointer, Target);
  while (!Work.empty()) {
    auto [V, R] = Work.pop_back_val();
    if (Seen.size() > MaxSteps || !follow(V, R))
      return false;
  }
  return true;
}

bool TargetTrace::follow(const Value *V, Role R) {
  V = V->stripPointerCastsAndAliases();
  if (isa<UndefValue>(V) || isa<ConstantPointerNull>(V))
    return true; // Nothing that can be called, or read.
  if (auto *F = dyn_cast<Function>(V))
    return R == Target && (Found.insert(F), true);
  if (isChoice(*V)) {
    for (const Value *One : choicesOf(V))
      add(One, R);
    return true;
  }
  if (auto *A = dyn_cast<Argument>(V))
    return followArgument(*A, R);
  if (auto *Call = dyn_cast<CallBase>(V))
    return followResult(*Call, R);
  if (R == Memory) {
    if (auto *GEP = dyn_cast<GEPOperator>(V)) {
      add(GEP->getPointerOperand(), Memory);
      return true;
    }
    return readFrom(V);
  }
  auto *L = dyn_cast<LoadInst>(V);
  if (!L)
    return false;
  add(L->getPointerOperand(), Memory);
  return true;
}

/// All that callers pass, where all callers are known.
bool TargetTrace::followArgument(const Argument &A, Role R) {
  const Function *F = A.getParent();
  if (!F->hasLocalLinkage() || A.hasByValAttr())
    return false;
  for (const Use &U : F->uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) || Call->getFunctionType() != F->getFunctionType())
      return false;
    add(Call->getArgOperand(A.getArgNo()), R);
  }
  return true;
}

/// All that the function called returns.
bool TargetTrace::followResult(const CallBase &Call, Role R) {
  const Function *F = Call.getCalledFunction();
  if (!F || F->isDeclaration() || F->isInterposable())
    return false;
  for (const BasicBlock &BB : *F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()))
      add(Ret->getReturnValue(), R);
  return true;
}

/// Adds what a load from somewhere in \p Object can give.
bool TargetTrace::readFrom(const Value *Object) {
  if (auto *G = dyn_cast<GlobalVariable>(Object)) {
    if (!G->hasDefinitiveInitializer())
      return false;
    addFunctionsIn(*G->getInitializer());
    return G->isConstant() || (G->hasLocalLinkage() && addStoredIn(G));
  }
  return isa<AllocaInst>(Object) && addStoredIn(Object);
}

/// False where \p Object may be written by others than the stores and copies seen here.
bool TargetTrace::addStoredIn(const Value *Object) {
  SmallVector<const Value *, 8> Addresses{Object};
  DenseSet<const Value *> Visited;
  while (!Addresses.empty()) {
    const Value *Address = Addresses.pop_back_val();
    if (!Visited.insert(Address).second)
      continue;
    for (const Use &U : Address->uses()) {
      const User *By = U.getUser();
      if (isa<LoadInst>(By) || isa<ICmpInst>(By))
        continue;
      if (isa<GEPOperator>(By) || isa<PHINode>(By) || isa<SelectInst>(By)) {
        Addresses.push_back(By);
        continue;
      }
      if (auto *S = dyn_cast<StoreInst>(By)) {
        const Value *Stored = S->getValueOperand();
        if (U.getOperandNo() == 0 || Stored->getType()->isAggregateType())
          return false;
        if (Stored->getType()->isPointerTy())
          add(Stored, Target);
        continue;
      }
      if (auto *Copy = dyn_cast<MemTransferInst>(By)) {
        if (Copy->getRawDest() == Address)
          add(Copy->getRawSource(), Memory);
        if (Copy->getRawSource() == Address && !isa<AllocaInst>(Copy->getRawDest()))
          return false;
        continue;
      }
      auto *Marker = dyn_cast<IntrinsicInst>(By);
      if (!Marker || !(isa<MemSetInst>(Marker) || Marker->isLifetimeStartOrEnd()))
        return false;
    }
  }
  return true;
}

void TargetTrace::addFunctionsIn(const Constant &C) {
  SmallVector<const Constant *, 8> Parts{&C};
  while (!Parts.empty()) {
    const Constant *Part = Parts.pop_back_val();
    if (auto *F = dyn_cast<Function>(Part->stripPointerCastsAndAliases()))
      Found.insert(F);
    else if (isa<ConstantAggregate>(Part))
      for (const Use &U : Part->operands())
        Parts.push_back(cast<Constant>(U.get()));
  }
}

} // namespace

/// Passed in the same way: a pointer to a structure is not a structure by value.
static bool fits(const Function &F, const CallBase &Call) {
  if (F.getFunctionType() != Call.getFunctionType() || F.isVarArg() || F.isIntrinsic() ||
      F.getCallingConv() != Call.getCallingConv())
    return false;
  for (unsigned K = 0; K != Call.arg_size(); ++K)
    if (F.getParamByValType(K) != Call.getParamByValType(K) ||
        F.hasParamAttribute(K, Attribute::StructRet) != Call.paramHasAttr(K, Attribute::StructRet))
      return false;
  return true;
}

/// The derivative of a call of \p F, should it come to that, is known or can be made.
static bool isUsable(const Function &F) {
  if (!F.isDeclaration())
    return true;
  CustomRules Rules = customRules(F);
  return mathFunctionOf(F) || managesMemory(F) || isMarkedInactive(F) || Rules.hasReverse() ||
         Rules.Forward || isInactiveLibraryFunction(F) || isInactiveRuntimeName(F.getName());
}

/// Does the address of \p F go anywhere but into calls and to Isozyme?
static bool hasAddressTaken(const Function &F) {
  SmallVector<const Value *, 8> Work{&F};
  DenseSet<const Value *> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      const User *By = U.getUser();
      if (auto *Call = dyn_cast<CallBase>(By)) {
        if (!Call->isCallee(&U) && !asksForDerivative(U, *Call) && !isForRuntime(U))
          return true;
      } else if (auto *G = dyn_cast<GlobalVariable>(By)) {
        if (!isConventionName(G->getName()) && !G->getName().starts_with("llvm."))
          return true;
      } else if (isa<Constant>(By)) {
        Work.push_back(By);
      } else if (!isa<ICmpInst>(By)) {
        return true;
      }
    }
  }
  return false;
}

/// A helper of bodies that are lent. These pass them to each other; no pointer of the program's
/// leads there.
static bool isHelperOfLent(const Function &F) {
  return F.hasLocalLinkage() && F.hasFnAttribute(LentBodyMark);
}

ArrayRef<Function *> CallTargets::byType(FunctionType *T) {
  if (!Collected)
    for (Function &F : M)
      if (!F.isIntrinsic() && isUsable(F) && !isHelperOfLent(F) && hasAddressTaken(F))
        AddressTaken[F.getFunctionType()].push_back(&F);
  Collected = true;
  return AddressTaken[T];
}

CallTargets::Answer CallTargets::of(const CallBase &Call) {
  TargetTrace Trace;
  Answer A;
  A.Complete = Trace.run(Call.getCalledOperand());
  auto Fits = [&](const Function *F) { return fits(*F, Call); };
  if (A.Complete) {
    // What does not fit cannot be meant: to call it is undefined.
    for (const Function *F : make_filter_range(Trace.Found, Fits))
      A.Functions.push_back(const_cast<Function *>(F));
    if (!A.Functions.empty())
      return A;
    A.Complete = false;
  }
  std::optional<int64_t> Slot = slotOf(Call);
  auto ByType = [&](FunctionType *T) { return byType(T); };
  AddressFlow Flow(Call, ByType);
  copy_if(byType(Call.getFunctionType()), std::back_inserter(A.Functions), [&](const Function *F) {
    return Fits(F) && (!Slot || (mayBeInSlot(*F, *Slot) && mayShareObject(Call, *F))) &&
           Flow.reaches(*F);
  });
  return A;
}

} // namespace isozyme
