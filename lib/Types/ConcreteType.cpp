//===- ConcreteType.cpp - The lattice of byte types -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Anything is below Integer, Pointer and each Float; Unknown is above them all.
// Joining two facts on the same bytes therefore ends after two steps.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/TypeResult.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme;

void ConcreteType::print(raw_ostream &OS) const {
  switch (K) {
  case Unknown:
    OS << "unknown";
    return;
  case Integer:
    OS << "integer";
    return;
  case Pointer:
    OS << "pointer";
    return;
  case Anything:
    OS << "anything";
    return;
  case Float:
    OS << "float ";
    FloatType->print(OS);
    return;
  }
}

ConcreteType ConcreteType::join(ConcreteType Other) const {
  if (*this == Other || Other.K == Anything)
    return *this;
  if (K == Anything)
    return Other;
  return Unknown;
}
