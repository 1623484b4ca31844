//===- NeedAnalysis.cpp - What the reverse sweep reads --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How needs are called and printed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/NeedAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

raw_ostream &operator<<(raw_ostream &OS, Part P) {
  switch (P) {
  case Part::Primal:
    return OS << "primal";
  case Part::Shadow:
    return OS << "shadow";
  case Part::Tape:
    return OS << "tape";
  case Part::Overwritten:
    return OS << "overwritten";
  }
  llvm_unreachable("complete switch");
}

std::string nameWithoutResult(const Instruction &I, StringRef Callee) {
  auto isLike = [&](const Instruction &Other) {
    auto *A = dyn_cast<CallBase>(&I), *B = dyn_cast<CallBase>(&Other);
    return Other.getType()->isVoidTy() && Other.getOpcode() == I.getOpcode() &&
           (!A || A->getCalledOperand() == B->getCalledOperand());
  };
  unsigned Number = 0;
  for (const Instruction &Other : instructions(I.getFunction())) {
    Number += isLike(Other);
    if (&Other == &I)
      break;
  }
  return (Twine(I.getOpcodeName()) + (Callee.empty() ? "" : " ") + Callee + " #" + Twine(Number))
      .str();
}

std::string operandName(const Value *V) {
  if (auto *I = dyn_cast<Instruction>(V); I && I->getType()->isVoidTy()) {
    auto *Call = dyn_cast<CallBase>(I);
    return nameWithoutResult(*I, Call ? operandName(Call->getCalledOperand()) : "");
  }
  std::string S;
  raw_string_ostream OS(S);
  V->printAsOperand(OS, isa<ConstantData>(V));
  return S;
}

raw_ostream &operator<<(raw_ostream &OS, const NeedConsumer &C) {
  return OS << C.Role << (C.At ? operandName(C.At) : "");
}

void printNeed(raw_ostream &OS, const Need &N) { OS << operandName(N.V) << ' ' << N.P; }

void printNeeds(const NeedSet &Needs, raw_ostream &OS) {
  for (auto &[N, Consumer] : Needs) {
    OS << "  ";
    printNeed(OS, N);
    OS << " for " << Consumer << '\n';
  }
}

} // namespace isozyme
