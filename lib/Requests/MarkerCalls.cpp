//===- MarkerCalls.cpp - Calls such as __enzyme_autodiff(f, ...) ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds marker calls and reads one from left to right:
//
//   ENTRY([result buffer,] fn, [shadow of fn's sret result,]
//         flag | marker* primal shadow*, ...  [enzyme_interleave, shadow*])
//
// In: a call.  Out: the request and which operands belong to which parameter, or
// one DiffError. Never: writes IR (ReplaceCalls does).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/MarkerCalls.h"
#include "CallReader.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

SmallVector<CallBase *, 4> findMarkerCalls(Module &M) {
  SmallVector<CallBase *, 4> Calls;
  // Without an entry point there is no call of one, and no need to look at code.
  if (none_of(M.functions(), [](const Function &F) { return entryPoint(F.getName()); }))
    return Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && calledEntryPoint(*Call))
        Calls.push_back(Call);
  return Calls;
}

Expected<MarkerCall> parseMarkerCall(CallBase &Call) {
  Function *Entry = calledEntryPoint(Call);
  assert(Entry && "not a marker call");
  EntryPoint Kind = *entryPoint(Entry->getName());
  if (Kind == EntryPoint::NotSupported)
    return diffError(DiagId::NotSupportedYet, Place(Call),
                     "'" + entryPointText(Entry->getName()) + "' is not in this release of Isozyme",
                     "use __enzyme_autodiff or __enzyme_fwddiff");
  CallReader Reader(Call, Kind == EntryPoint::Fwddiff ? DiffMode::Forward : DiffMode::Reverse);
  return Reader.read();
}

} // namespace isozyme
