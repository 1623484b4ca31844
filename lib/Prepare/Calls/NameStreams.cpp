//===- NameStreams.cpp - Streams that output hands back --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   out << x << '\n';      %s = call ptr @operator<<(ptr %out, double %x)
//                          call ptr @operator<<(ptr %s, ...)       ; -> %out
//
// The library returns the stream that it was called with. A stream that is part of a
// differentiated object has a shadow, and one that comes from a call would have none.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/OutputCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace isozyme {

void nameStreams(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->getType()->isPointerTy() || !isOutput(*Call))
      continue;
    Value *Stream = resultOfOutput(*Call);
    // Of what is not known, nothing is handed back, which may be an operand as well.
    if (is_contained(Call->args(), Stream) && !isa<ConstantPointerNull>(Stream))
      Call->replaceAllUsesWith(Stream);
  }
}

} // namespace isozyme
