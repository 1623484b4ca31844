//===- NameStrings.cpp - Strings that functions of the library return -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::string::append and others return the string that they have changed, and have no body. Their
// result is an address of which nobody knows where it leads, nor its shadow; the string's own
// address is known. A view that a string becomes is a length and an address in registers; two other
// functions of the string tell these apart.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// The name of what std::string is a template of, if \p Call asks one for a std::string_view.
static StringRef askedForView(const CallInst &Call) {
  static constexpr StringLiteral Strings[] = {
      "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
      "_ZNKSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE"};
  const Function *F = Call.getCalledFunction();
  auto *View = dyn_cast<StructType>(Call.getType());
  if (!F || Call.arg_size() != 1 || !View || View->getNumElements() != 2 ||
      !View->getElementType(0)->isIntegerTy() || !View->getElementType(1)->isPointerTy())
    return {};
  for (StringRef String : Strings)
    if (StringRef Rest = F->getName();
        Rest.consume_front(String) && Rest.starts_with("cvSt17basic_string_view"))
      return String;
  return {};
}

/// s.operator std::string_view() is {s.size(), s.data()}.
static void lowerView(CallInst &Call, StringRef String) {
  IRBuilder<> B(&Call);
  Module &M = *Call.getModule();
  auto Ask = [&](StringRef Member, Type *Result) {
    FunctionCallee F = M.getOrInsertFunction((String + Member).str(), Result, B.getPtrTy());
    CallInst *Asked = B.CreateCall(F, Call.getArgOperand(0));
    Asked->setDoesNotThrow();
    Asked->setIsNoInline(); // Strings are known by the names of their functions.
    return Asked;
  };
  auto *View = cast<StructType>(Call.getType());
  Value *Whole = PoisonValue::get(View);
  Whole = B.CreateInsertValue(Whole, Ask("4sizeEv", View->getElementType(0)), 0);
  Whole = B.CreateInsertValue(Whole, Ask("4dataEv", View->getElementType(1)), 1);
  Call.replaceAllUsesWith(Whole);
  Call.eraseFromParent();
}

void nameStrings(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (Value *String = stringItself(*Call))
        Call->replaceAllUsesWith(String);
      else if (auto *Plain = dyn_cast<CallInst>(Call))
        if (StringRef String = askedForView(*Plain); !String.empty())
          lowerView(*Plain, String);
    }
}

} // namespace isozyme
