//===- MemoryLayout.cpp - Runs of typed bytes -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/TypeResult.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme;

ConcreteType MemoryLayout::uniform() const {
  ConcreteType Result = ConcreteType::Anything;
  for (const TypedRun &R : Runs)
    Result = Result.join(R.Type);
  return Period ? Result : ConcreteType();
}

void MemoryLayout::print(raw_ostream &OS) const {
  if (!Period) {
    OS << "unknown";
    return;
  }
  OS << "every " << Period << ": {";
  ListSeparator Comma;
  for (const TypedRun &R : Runs) {
    OS << Comma << R.Offset << ".." << R.Offset + R.Size << ' ';
    R.Type.print(OS);
  }
  OS << '}';
}

bool MemoryLayout::verify(raw_ostream &OS) const {
  uint64_t Next = 0;
  for (const TypedRun &R : Runs) {
    if (R.Offset != Next || !R.Size) {
      OS << "a run starts at byte " << R.Offset << ", not at " << Next << '\n';
      return false;
    }
    Next += R.Size;
    if (R.Type.isFloat() && R.Size % ((R.Type.floatType()->getScalarSizeInBits() + 7) / 8) &&
        !R.Type.floatType()->isX86_FP80Ty()) {
      OS << "the run at byte " << R.Offset << " holds part of a float\n";
      return false;
    }
  }
  if (Next != Period)
    OS << "the runs cover " << Next << " bytes of " << Period << '\n';
  return Next == Period;
}
