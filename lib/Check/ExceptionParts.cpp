//===- ExceptionParts.cpp - Caught exceptions in runs of a check ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExceptionParts.h"
#include "Obstacles.h"
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// Constructors and destructors of the library's exceptions change nothing but the object.
static bool isMemberOfException(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "_ZNSt11logic_error",      "_ZNSt11range_error",    "_ZNSt12domain_error",
      "_ZNSt12length_error",     "_ZNSt12out_of_range",   "_ZNSt13bad_exception",
      "_ZNSt13runtime_error",    "_ZNSt14overflow_error", "_ZNSt15underflow_error",
      "_ZNSt16invalid_argument", "_ZNSt8bad_cast",        "_ZNSt9bad_alloc",
      "_ZNSt9exception",
  };
  return any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

static bool isHelper(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  return Callee && Callee->hasFnAttribute(marking::ServesExceptions);
}

bool servesExceptions(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  return isHelper(Call) || exceptionCallOf(Call) != ExceptionCall::None ||
         Call.hasFnAttr(marking::GivesText) ||
         (Callee && Callee->isDeclaration() &&
          (isMemberOfException(Callee->getName()) ||
           (Callee->getName().starts_with("_ZNKSt") && Callee->getName().ends_with("4whatEv"))));
}

bool allocatesException(const CallBase &Call) {
  return isHelper(Call) && Call.arg_size() == 1 &&
         Call.getArgOperand(0)->getType()->isIntegerTy() && Call.getType()->isPointerTy();
}

bool followsException(const Instruction &I) {
  const Value *At = &I;
  while (true) {
    auto *Call = dyn_cast<CallBase>(At);
    if (Call && isHelper(*Call))
      return true;
    if (Call && Call->isIndirectCall())
      At = Call->getCalledOperand();
    else if (isa<LoadInst, GetElementPtrInst>(At))
      At = cast<Instruction>(At)->getOperand(0);
    else
      return false;
  }
}

GlobalVariable *thrownVariable(const Instruction &I) {
  auto *Address = dyn_cast<IntrinsicInst>(&I);
  if (!Address || Address->getIntrinsicID() != Intrinsic::threadlocal_address)
    return nullptr;
  auto *G = dyn_cast<GlobalVariable>(Address->getArgOperand(0));
  return G && G->hasAttribute(marking::ServesExceptions) ? G : nullptr;
}

} // namespace isozyme
