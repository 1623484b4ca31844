//===- ByteRuns.cpp - What lies in the bytes of a copy or fill ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/ByteRuns.h"
#include "isozyme/Types/MemoryGraph.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

static ByteRun::Kind kindOf(const ConcreteType &T) {
  if (T.isFloat())
    return ByteRun::Floats;
  return T.kind() == ConcreteType::Pointer ? ByteRun::Addresses : ByteRun::Others;
}

ByteRuns::ByteRuns(const MemoryLayout &L) : Period(L.Period) {
  for (const TypedRun &R : L.Runs)
    Runs.push_back({R.Offset, R.Size, kindOf(R.Type), R.Type.floatType()});
}

ByteRuns ByteRuns::either() {
  ByteRuns All;
  All.Period = 1;
  All.Runs.push_back({0, 1, ByteRun::Either});
  return All;
}

ByteRuns ByteRuns::words() {
  ByteRuns All;
  All.Period = WordContent::Size;
  All.Runs.push_back({0, WordContent::Size, ByteRun::Either});
  return All;
}

bool ByteRuns::verify(raw_ostream &OS) const {
  uint64_t Next = 0;
  for (const ByteRun &R : Runs) {
    if (R.Offset != Next || !R.Size) {
      OS << "a run of bytes at " << R.Offset << " follows what ends at " << Next;
      return true;
    }
    if ((R.K == ByteRun::Floats) != (R.Float != nullptr)) {
      OS << "the run of bytes at " << R.Offset << " is of floats without a type";
      return true;
    }
    Next = R.Offset + R.Size;
  }
  if (Next == Period)
    return false;
  OS << "runs of " << Next << " bytes in a period of " << Period;
  return true;
}

void ByteRuns::print(raw_ostream &OS) const {
  if (Runs.size() > 1)
    OS << "per " << Period << " bytes: ";
  ListSeparator Comma;
  for (const ByteRun &R : Runs) {
    OS << Comma;
    if (Runs.size() > 1)
      OS << R.Size << " of ";
    if (R.K == ByteRun::Floats)
      OS << *R.Float;
    else
      OS << (R.K == ByteRun::Addresses ? "addresses"
             : R.K == ByteRun::Either  ? "floats or addresses"
                                       : "others");
  }
}

} // namespace isozyme
