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
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

raw_ostream &operator<<(raw_ostream &OS, Part P) {
  return OS << (P == Part::Primal ? "primal" : P == Part::Shadow ? "shadow" : "tape");
}

std::string operandName(const Value *V) {
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
