//===- UnionMoves.cpp - Unions that are passed as doubles -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A union whose first member is a double is a double to LLVM, whatever it holds. One that a
// function takes only to store it, or returns as it has read it, may be an address on its way from
// union to union. A number that is computed, or used as one on all ways, is none of these.
//
//===----------------------------------------------------------------------===//
#include "UnionMoves.h"
#include "isozyme/Values/Origins.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

namespace {

using Values = SmallSetVector<const Value *, 8>;

/// What decides whether a trace goes on, and what it has found.
enum class Step : uint8_t { Follow, Union, Other };

} // namespace

/// A variable of unoptimised code.
static const AllocaInst *variableAt(const Value *Place) {
  auto *Variable = dyn_cast<AllocaInst>(Place);
  return Variable && Variable->getAllocatedType()->isDoubleTy() && isAllocaPromotable(Variable)
             ? Variable
             : nullptr;
}

/// The parameter that \p U is passed for; null if the function is not known or has no body.
static const Argument *parameterFor(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  bool IsKnown = F && !F->isDeclaration() && Call->isArgOperand(&U) &&
                 Call->getArgOperandNo(&U) < F->arg_size();
  return IsKnown ? F->getArg(Call->getArgOperandNo(&U)) : nullptr;
}

/// Where \p U takes its value: on through variables and calls, or into a union.
static Step followUse(const Use &U, Values &Moved) {
  if (auto *Store = dyn_cast<StoreInst>(U.getUser())) {
    if (variableAt(U.get())) // It is stored in the variable.
      return Step::Follow;
    if (const AllocaInst *Variable = variableAt(Store->getPointerOperand())) {
      Moved.insert(Variable);
      return Step::Follow;
    }
    return Store->isSimple() && isUnionMember(*Store) ? Step::Union : Step::Other;
  }
  if (isa<LoadInst>(U.getUser()) && variableAt(U.get())) {
    Moved.insert(U.getUser());
    return Step::Follow;
  }
  if (const Argument *A = parameterFor(U)) {
    Moved.insert(A);
    return Step::Follow;
  }
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && Call->isLifetimeStartOrEnd() ? Step::Follow : Step::Other;
}

/// Do all uses of \p A end in unions?
static bool endsInUnions(const Argument &A) {
  Values Moved;
  Moved.insert(&A);
  bool InUnion = false;
  for (unsigned K = 0; K != Moved.size(); ++K)
    for (const Use &U : Moved[K]->uses()) {
      Step Next = followUse(U, Moved);
      if (Next == Step::Other)
        return false;
      InUnion |= Next == Step::Union;
    }
  return InUnion;
}

/// Adds what is stored in the variable that \p Load reads; false if it reads none.
static bool addStored(const LoadInst &Load, Values &From) {
  const AllocaInst *Variable = variableAt(Load.getPointerOperand());
  if (!Variable)
    return false;
  for (const User *U : Variable->users())
    if (auto *Store = dyn_cast<StoreInst>(U))
      From.insert(Store->getValueOperand());
  return true;
}

/// Is all that \p F returns as member \p Number read from unions?
static bool comesFromUnions(const Function &F, unsigned Number) {
  Values From;
  for (const BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      const Value *V = Return->getReturnValue();
      V = V ? memberOf(V, Number) : nullptr;
      if (!V)
        return false;
      From.insert(V);
    }
  for (unsigned K = 0; K != From.size(); ++K) {
    auto *Load = dyn_cast<LoadInst>(From[K]);
    if (!Load || !Load->isSimple() || (!addStored(*Load, From) && !isUnionMember(*Load)))
      return false;
  }
  return !From.empty();
}

/// Adds what callers of \p A's function pass for it.
static void addPassed(const Argument &A, Values &From) {
  for (const Use &U : A.getParent()->uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser());
        Call && Call->isCallee(&U) && A.getArgNo() < Call->arg_size())
      From.insert(Call->getArgOperand(A.getArgNo()));
}

bool isMovedUnion(const Argument &A) {
  if (!A.getType()->isDoubleTy() || !endsInUnions(A))
    return false;
  Values From;
  addPassed(A, From);
  for (unsigned K = 0; K != From.size(); ++K) {
    const Value *V = From[K];
    auto *Load = dyn_cast<LoadInst>(V);
    auto *Call = dyn_cast<CallBase>(V);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    bool IsUnion = (Load && !addStored(*Load, From) && isUnionMember(*Load)) ||
                   isa<BitCastInst>(V) ||
                   (Callee && !Callee->isDeclaration() && comesFromUnions(*Callee, 0));
    if (IsUnion)
      return true;
    if (auto *Passed = dyn_cast<Argument>(V))
      addPassed(*Passed, From);
    else if (isChoice(*V))
      From.insert_range(choicesOf(V));
  }
  return false;
}

bool isMovedUnionResult(const Function &F, unsigned Number) {
  if (!comesFromUnions(F, Number))
    return false;
  Values Moved;
  for (const Use &U : F.uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U))
      Moved.insert(Call);
  for (unsigned K = 0; K != Moved.size(); ++K)
    for (const Use &U : Moved[K]->uses()) {
      const Argument *Passed = parameterFor(U);
      if (Passed ? endsInUnions(*Passed) : followUse(U, Moved) == Step::Union)
        return true;
      if (auto *Part = dyn_cast<ExtractValueInst>(U.getUser());
          Part && Part->getIndices()[0] == Number)
        Moved.insert(Part);
      if (isChoice(*U.getUser()))
        Moved.insert(U.getUser());
    }
  return false;
}

} // namespace isozyme
