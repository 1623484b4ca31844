//===- CastCalls.cpp - Casts that the C++ library decides -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/ExceptionCalls.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

bool isozyme::isDynamicCast(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && Callee->getName() == "__dynamic_cast" &&
         Call.arg_size() == 4 && Call.getType()->isPointerTy() &&
         Call.getArgOperand(0)->getType() == Call.getType();
}
