//===- InternalProcedures.cpp - Procedures with variables, passed ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An internal procedure of Fortran uses variables of the procedure around it. Where it is passed
// to another one, flang writes code onto the stack, which adds the address of these variables:
//
//   call @llvm.init.trampoline(%code, @inner, %variables)
//   %p = call @llvm.adjust.trampoline(%code)
//   call @integrate(%p, %n)              ->   call @integrate.with.inner(%variables, %n)
//
// In the form that is made for @inner, the parameter leads to the variables, and what called it
// calls @inner. That goes for functions which only call the parameter, or hand it on to such.
//
//===----------------------------------------------------------------------===//
#include "InternalProcedures.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Code on the stack, what it calls, and with which variables.
struct Trampoline {
  IntrinsicInst *Address = nullptr;
  Function *Target = nullptr;
  Value *Variables = nullptr;
};

using Parameters = SmallPtrSet<const Argument *, 8>;

} // namespace

/// The number of the parameter that the code on the stack adds; the number of all if there is none.
static unsigned addedParameter(const Function &Target) {
  unsigned K = 0;
  while (K < Target.arg_size() && !Target.getArg(K)->hasNestAttr())
    ++K;
  return K;
}

/// Does \p Call, through the address of the code, pass what \p Target takes?
static bool fits(const CallBase &Call, const Function &Target) {
  const unsigned Added = addedParameter(Target);
  if (!isa<CallInst>(Call) || Call.getType() != Target.getReturnType() || Target.isVarArg() ||
      Added == Target.arg_size() || Call.arg_size() + 1 != Target.arg_size() ||
      Call.hasOperandBundles())
    return false;
  for (unsigned K = 0; K < Call.arg_size(); ++K)
    if (Call.getArgOperand(K)->getType() != Target.getArg(K + (K >= Added))->getType())
      return false;
  return true;
}

/// The function with a body that \p U passes something to, and the parameter.
static Argument *parameterOf(const Use &U) {
  auto *Call = dyn_cast<CallInst>(U.getUser());
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || !Call->isArgOperand(&U) ||
      Callee->getFunctionType() != Call->getFunctionType() || hasMarkedMeaning(*Callee) ||
      Call->getArgOperandNo(&U) >= Callee->arg_size() || Call->isMustTailCall())
    return nullptr;
  return Callee->getArg(Call->getArgOperandNo(&U));
}

/// Is it asked whether \p U, an address of code, is that of a function, or any?
static bool isComparison(const Use &U) {
  auto *Compare = dyn_cast<ICmpInst>(U.getUser());
  return Compare && Compare->isEquality() &&
         isa<Function, ConstantPointerNull>(Compare->getOperand(1 - U.getOperandNo()));
}

static bool isFollowed(const Argument &A, const Function &Target, Parameters &Seen);

/// Is the address of code only called or compared by \p U, or handed on to functions that do so?
static bool isFollowed(const Use &U, const Function &Target, Parameters &Seen) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  if (Call && Call->isCallee(&U))
    return fits(*Call, Target);
  const Argument *Further = parameterOf(U);
  return isComparison(U) || (Further && isFollowed(*Further, Target, Seen));
}

static bool isFollowed(const Argument &A, const Function &Target, Parameters &Seen) {
  return !Seen.insert(&A).second ||
         all_of(A.uses(), [&](const Use &U) { return isFollowed(U, Target, Seen); });
}

/// Those of \p F of which the variables are known.
static SmallVector<Trampoline, 2> trampolinesIn(Function &F) {
  SmallVector<Trampoline, 2> Found;
  for (Instruction &I : instructions(F)) {
    auto *Address = dyn_cast<IntrinsicInst>(&I);
    if (!Address || Address->getIntrinsicID() != Intrinsic::adjust_trampoline)
      continue;
    IntrinsicInst *Of = nullptr;
    bool IsOne = true;
    Value *Code = Address->getArgOperand(0)->stripPointerCasts();
    for (User *U : Code->users())
      if (auto *Init = dyn_cast<IntrinsicInst>(U);
          Init && Init->getIntrinsicID() == Intrinsic::init_trampoline) {
        IsOne &= !Of;
        Of = Init;
      }
    if (!Of || !IsOne)
      continue;
    auto *Target = dyn_cast<Function>(Of->getArgOperand(1)->stripPointerCasts());
    if (Target && !Target->isDeclaration())
      Found.push_back({Address, Target, Of->getArgOperand(2)});
  }
  return Found;
}

bool passesInternalProcedures(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Init = dyn_cast<IntrinsicInst>(&I);
    return Init && Init->getIntrinsicID() == Intrinsic::init_trampoline;
  });
}

/// \p Call calls \p Target, with \p Variables.
static void callInstead(CallInst &Call, Function &Target, Value *Variables) {
  const unsigned Added = addedParameter(Target);
  SmallVector<Value *, 8> Arguments(Call.args());
  SmallVector<AttributeSet, 8> Sets;
  AttributeList Old = Call.getAttributes();
  for (unsigned K = 0; K < Call.arg_size(); ++K)
    Sets.push_back(Old.getParamAttrs(K));
  Arguments.insert(Arguments.begin() + Added, Variables);
  Sets.insert(
      Sets.begin() + Added,
      AttributeSet::get(Call.getContext(), {Attribute::get(Call.getContext(), Attribute::Nest)}));
  IRBuilder<> B(&Call);
  CallInst *New = B.CreateCall(&Target, Arguments);
  New->setAttributes(
      AttributeList::get(Call.getContext(), Old.getFnAttrs(), Old.getRetAttrs(), Sets));
  New->setCallingConv(Target.getCallingConv());
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

static Function &formFor(Argument &A, Function &Target);

/// What \p U does with the address of code that calls \p Target, it does with \p Target.
static void lowerUse(Use &U, Function &Target, Value *Variables) {
  if (isComparison(U)) {
    auto *Compare = cast<ICmpInst>(U.getUser());
    Compare->replaceAllUsesWith(
        ConstantInt::getBool(Compare->getType(), Compare->getPredicate() == ICmpInst::ICMP_NE));
    Compare->eraseFromParent();
    return;
  }
  auto *Call = cast<CallInst>(U.getUser());
  if (Call->isCallee(&U))
    return callInstead(*Call, Target, Variables);
  Argument &A = *parameterOf(U);
  Call->removeParamAttrs(A.getArgNo(),
                         AttributeMask(Call->getAttributes().getParamAttrs(A.getArgNo())));
  Call->setCalledFunction(&formFor(A, Target));
  U.set(Variables);
}

static SmallVector<Use *, 4> usesOf(Value &V) {
  SmallVector<Use *, 4> Uses;
  for (Use &U : V.uses())
    Uses.push_back(&U);
  return Uses;
}

/// The form of the function of \p A in which this parameter leads to the variables of \p Target.
static Function &formFor(Argument &A, Function &Target) {
  Function &F = *A.getParent();
  const std::string Name =
      (F.getName() + ".with" + Twine(A.getArgNo()) + "." + Target.getName()).str();
  if (Function *Known = F.getParent()->getFunction(Name))
    return *Known;
  Function &Form = internalCopyOf(F);
  Form.setName(Name);
  Form.addFnAttr(marking::WithProcedure);
  Argument &Parameter = *Form.getArg(A.getArgNo());
  Form.removeParamAttrs(A.getArgNo(), AttributeMask(Parameter.getAttributes()));
  for (Use *U : usesOf(Parameter))
    lowerUse(*U, Target, &Parameter);
  return Form;
}

/// Removes what makes code on the stack that nobody takes the address of any more.
static void eraseUnusedCode(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Init = dyn_cast<IntrinsicInst>(&I);
    if (!Init || Init->getIntrinsicID() != Intrinsic::init_trampoline)
      continue;
    Value *Code = Init->getArgOperand(0)->stripPointerCasts();
    if (isa<AllocaInst>(Code) && all_of(Code->users(), [&](const User *U) {
          auto *Known = dyn_cast<IntrinsicInst>(U);
          return U == Init || (Known && Known->isLifetimeStartOrEnd());
        }))
      Init->eraseFromParent();
  }
}

void lowerInternalProcedures(Function &F) {
  for (const Trampoline &T : trampolinesIn(F)) {
    for (Use *U : usesOf(*T.Address))
      if (Parameters Seen; isFollowed(*U, *T.Target, Seen))
        lowerUse(*U, *T.Target, T.Variables);
    if (T.Address->use_empty())
      T.Address->eraseFromParent();
  }
  eraseUnusedCode(F);
}

} // namespace isozyme
