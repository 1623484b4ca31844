//===- MemoryObjects.cpp - What memory an address leads to ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/MemoryObjects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// The arguments of \p Call of which one is where the address that it returns comes from, as of the
/// functions of containers that return the end of what they have filled. None: not known.
static SmallVector<const Value *, 2> returnedArguments(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  SmallVector<const Value *, 2> Arguments;
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || Callee->isVarArg() ||
      Callee->getFunctionType() != Call.getFunctionType())
    return Arguments;
  for (const BasicBlock &BB : *Callee)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      SmallVector<const Value *, 2> Objects;
      getUnderlyingObjects(Return->getReturnValue(), Objects, nullptr, /*MaxLookup=*/0);
      for (const Value *Object : Objects) {
        auto *Parameter = dyn_cast<Argument>(Object);
        if (!Parameter)
          return {};
        if (const Value *V = Call.getArgOperand(Parameter->getArgNo()); !is_contained(Arguments, V))
          Arguments.push_back(V);
      }
    }
  return Arguments;
}

SmallVector<const Value *, 2> accessedObjects(const Value *Ptr, const Function &In) {
  SmallSetVector<const Value *, 4> Found;
  auto addObjects = [&](const Value *V) {
    SmallVector<const Value *, 2> Of;
    getUnderlyingObjects(V, Of, nullptr, /*MaxLookup=*/0);
    Found.insert_range(Of);
  };
  addObjects(Ptr);
  SmallVector<const Value *, 2> Objects;
  for (size_t Next = 0; Next < Found.size(); ++Next) {
    auto *Call = dyn_cast<CallBase>(Found[Next]);
    SmallVector<const Value *, 2> Origins;
    if (Call && !isNoAliasCall(Call))
      Origins = returnedArguments(*Call);
    if (Origins.empty())
      Objects.push_back(Found[Next]);
    for_each(Origins, addObjects);
  }
  auto isNowhere = [&](const Value *V) {
    return isa<ConstantPointerNull>(V) &&
           !NullPointerIsDefined(&In, V->getType()->getPointerAddressSpace());
  };
  if (!all_of(Objects, isNowhere))
    erase_if(Objects, isNowhere);
  return Objects;
}

bool beginsHere(const Value *Object) {
  return isa<Argument, GlobalVariable, LoadInst>(Object) || isIdentifiedFunctionLocal(Object);
}

} // namespace isozyme
