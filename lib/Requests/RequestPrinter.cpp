//===- RequestPrinter.cpp - What a module asks for ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/RequestPrinter.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

void printRequests(Module &M, raw_ostream &OS) {
  for (CallBase *Call : findMarkerCalls(M)) {
    Expected<MarkerCall> Read = parseMarkerCall(*Call);
    if (Read) {
      Read->Request.print(OS);
      OS << '\n';
      continue;
    }
    handleAllErrors(Read.takeError(), [&](const ErrorInfoBase &E) {
      OS << "error: ";
      E.log(OS);
      OS << '\n';
    });
  }
}

} // namespace isozyme
