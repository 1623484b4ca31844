//===- NameStrings.cpp - Strings that functions of the library return -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::string::append and others return the string that they have changed, and have no body. Their
// result is an address of which nobody knows where it leads, nor its shadow; the string's own
// address is known.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

void nameStrings(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Value *String = stringItself(*Call))
        Call->replaceAllUsesWith(String);
}

} // namespace isozyme
