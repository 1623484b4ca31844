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
#include "Reading/ArgumentTypes.h"
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

SmallVector<CallBase *, 4> callsOf(Module &M, EntryPoint Kind) {
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
  for (const Use &U : drop_begin(Call.args(), At))
    if (StringRef Text = tracedMarker(U); !Text.empty())
      return fail(DiagId::BadActivity, "'" + Text + "' means nothing to an inactive call",
                  "pass the function and its arguments alone");
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
  if (Operands.size() < T->getNumParams() ||
      (Operands.size() > T->getNumParams() && !T->isVarArg()))
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

/// Does the call of __enzyme_iter have the shape n = iter(n, k)?
static Error checkIteration(const CallBase &Call) {
  bool Integers = all_of(Call.args(), [](const Use &U) { return U->getType()->isIntegerTy(); });
  if (Call.arg_size() == 2 && Integers && Call.getArgOperand(0)->getType() == Call.getType())
    return Error::success();
  DiagId Id = Call.arg_size() < 2   ? DiagId::TooFewArguments
              : Call.arg_size() > 2 ? DiagId::TooManyArguments
              : Integers            ? DiagId::BadResultType
                                    : DiagId::BadArgumentType;
  return diffError(Id, Place(Call),
                   "'__enzyme_iter' takes an integer and how much it grows, and gives an integer "
                   "of the first one's type",
                   "declare 'int __enzyme_iter(int, int)' and pass both");
}

/// Does a hint about types have the shape hint(pointer) or hint(pointer, bytes)?
static Error checkTypeHint(const CallBase &Call, StringRef Name) {
  auto fail = [&](DiagId Id, const Twine &What, const Twine &Fix) {
    return diffError(Id, Place(Call), "'" + Name + "' " + What, Fix);
  };
  if (!Call.arg_size())
    return fail(DiagId::TooFewArguments, "names no memory",
                "pass the pointer whose memory it is about");
  if (Call.arg_size() > 2)
    return fail(DiagId::TooManyArguments,
                "takes a pointer and a number of bytes, but the call has " +
                    Twine(Call.arg_size()) + " arguments",
                "leave the others out");
  Type *First = Call.getArgOperand(0)->getType();
  if (!First->isPointerTy() || !tracedMarker(Call.getArgOperand(0)).empty())
    return fail(DiagId::BadArgumentType,
                First->isPointerTy() ? Twine("is given a marker, not a pointer")
                                     : "is given " + Twine(describeType(First)) + ", not a pointer",
                "pass the pointer whose memory it is about");
  if (Call.arg_size() == 2 && (!Call.getArgOperand(1)->getType()->isIntegerTy() ||
                               !tracedMarker(Call.getArgOperand(1)).empty()))
    return fail(DiagId::BadArgumentType, "is given a number of bytes that is no integer",
                "pass the size of the memory in bytes");
  if (!Call.use_empty())
    return fail(DiagId::BadResultType, "gives nothing", "declare it to return 'void'");
  return Error::success();
}

Error lowerInactiveCalls(Module &M) {
  Error All = Error::success();
  for (CallBase *Call : callsOf(M, EntryPoint::Iter))
    All = joinErrors(std::move(All), checkIteration(*Call));
  for (Function &Hint : M) {
    if (!typeHintOf(Hint) || !Hint.isDeclaration())
      continue;
    for (User *U : Hint.users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &Hint)
        All = joinErrors(std::move(All), checkTypeHint(*Call, Hint.getName()));
  }
  for (CallBase *Call : callsOf(M, EntryPoint::CallInactive))
    All = joinErrors(std::move(All), lowerInactiveCall(*Call));
  return All;
}

bool lowerIterations(Module &M) {
  bool Changed = false;
  for (CallBase *Call : callsOf(M, EntryPoint::Iter)) {
    if (!Call->arg_size() || Call->getArgOperand(0)->getType() != Call->getType())
      continue; // Has had its error.
    replaceCall(*Call, Call->getArgOperand(0));
    Changed = true;
  }
  return Changed;
}

} // namespace isozyme
