//===- PlainCalls.cpp - Calls that are inactive, and counters of nesting --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   call double @__enzyme_call_inactive(ptr @f, double %x)
//   => call double @f(double %x) "enzyme_inactive" noinline
//
//   call i32 @__enzyme_iter(i32 %n, i32 1)  =>  %n
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/PlainCalls.h"
#include "ArgumentTypes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

EntryPoint calledKind(const CallBase &Call) {
  return *entryPoint(calledEntryPoint(Call)->getName());
}

static SmallVector<CallBase *, 4> callsOf(Module &M, EntryPoint Kind) {
  SmallVector<CallBase *, 4> Calls;
  for (Function &Entry : M) {
    if (entryPoint(Entry.getName()) != Kind)
      continue;
    for (User *U : Entry.users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && calledEntryPoint(*Call) == &Entry)
        Calls.push_back(Call);
  }
  return Calls;
}

/// Puts \p New in the place of \p Old, which may be an invoke.
static void replaceCall(CallBase &Old, Value *New) {
  if (!Old.use_empty())
    Old.replaceAllUsesWith(New);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Old)) {
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
  }
  Old.eraseFromParent();
}

static Error lowerInactiveCall(CallBase &Call) {
  unsigned At = functionOperandNumber(Call);
  auto fail = [&](DiagId Id, const Twine &What, const Twine &Fix) {
    return diffError(Id, Place(Call), What, Fix);
  };
  if (At >= Call.arg_size() || !Call.getArgOperand(At)->getType()->isPointerTy())
    return fail(DiagId::NotAFunction, "'__enzyme_call_inactive' names no function to call",
                "pass the function as the first argument");
  Value *Callee = Call.getArgOperand(At);
  Function *F = tracedFunction(Callee);
  SmallVector<Value *, 8> Operands;
  if (At)
    Operands.push_back(Call.getArgOperand(0));
  for (unsigned I = At + 1; I < Call.arg_size(); ++I)
    Operands.push_back(Call.getArgOperand(I));
  FunctionType *T = F ? F->getFunctionType() : nullptr;
  if (!T) {
    SmallVector<Type *, 8> Types;
    for (Value *V : Operands)
      Types.push_back(V->getType());
    T = FunctionType::get(Call.getType(), Types, false);
  }
  if (Operands.size() < T->getNumParams() || (Operands.size() > T->getNumParams() && !T->isVarArg()))
    return fail(Operands.size() < T->getNumParams() ? DiagId::TooFewArguments
                                                    : DiagId::TooManyArguments,
                describeFunction(*F) + " takes " + Twine(T->getNumParams()) +
                    " arguments, but the call has values for " + Twine(Operands.size()),
                "pass the arguments of the function after it");
  if (T->getReturnType() != Call.getType() && !Call.use_empty())
    return fail(DiagId::BadResultType,
                "the call is declared to return " + describeType(Call.getType()) + ", but " +
                    describeFunction(*F) + " returns " + describeType(T->getReturnType()),
                "declare it to return the same");
  IRBuilder<> B(&Call);
  for (unsigned I = 0; I < T->getNumParams(); ++I) {
    if (!canConvert(Operands[I], T->getParamType(I)))
      return fail(DiagId::BadArgumentType,
                  "argument " + Twine(I + 2) + " of the call is " +
                      describeType(Operands[I]->getType()) + ", but " + describeParameter(*F, I) +
                      " must be " + describeType(T->getParamType(I)),
                  "convert it in the call");
    Operands[I] = convert(B, Operands[I], T->getParamType(I));
  }
  CallInst *New = B.CreateCall(T, F ? F : Callee, Operands);
  if (F) {
    New->setCallingConv(F->getCallingConv());
    SmallVector<AttributeSet, 8> Params;
    for (unsigned I = 0; I < T->getNumParams(); ++I)
      Params.push_back(F->getAttributes().getParamAttrs(I));
    New->setAttributes(
        AttributeList::get(B.getContext(), {}, F->getAttributes().getRetAttrs(), Params));
  }
  New->addFnAttr(Attribute::get(B.getContext(), marking::Inactive));
  New->addFnAttr(Attribute::NoInline);
  New->addFnAttr(Attribute::get(B.getContext(), PinnedAttribute));
  replaceCall(Call, New);
  return Error::success();
}

Error lowerInactiveCalls(Module &M) {
  Error All = Error::success();
  for (CallBase *Call : callsOf(M, EntryPoint::CallInactive))
    All = joinErrors(std::move(All), lowerInactiveCall(*Call));
  return All;
}

bool lowerIterations(Module &M) {
  bool Changed = false;
  for (CallBase *Call : callsOf(M, EntryPoint::Iter)) {
    if (!Call->arg_size() || Call->getArgOperand(0)->getType() != Call->getType())
      continue;
    replaceCall(*Call, Call->getArgOperand(0));
    Changed = true;
  }
  return Changed;
}

} // namespace isozyme
