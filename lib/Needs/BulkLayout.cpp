//===- BulkLayout.cpp - What memcpy and memset move -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/BulkLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static bool isComplete(const MemoryLayout &L) {
  return L.Period && all_of(L.Runs, [](const TypedRun &R) { return R.Type.isKnown(); });
}

Expected<MemoryLayout> bulkLayout(const ReverseFacts &F, const MemIntrinsic &M) {
  auto *Length = dyn_cast<ConstantInt>(M.getLength());
  uint64_t Size = Length ? Length->getZExtValue() : 0;
  MemoryLayout L = F.Types.layoutOf(M.getRawDest(), Size);
  if (isComplete(L))
    return L;
  if (auto *Copy = dyn_cast<MemTransferInst>(&M)) {
    MemoryLayout FromSource = F.Types.layoutOf(Copy->getRawSource(), Size);
    if (isComplete(FromSource))
      return FromSource;
  }
  std::string Name = F.P.sourceName(M.getRawDest());
  return diffError(DiagId::UnknownType, F.P.placeOf(&M),
                   "cannot deduce what the memory " + (Name.empty() ? "" : "of '" + Name + "' ") +
                       "that is " + (isa<MemSetInst>(M) ? "set" : "copied") + " here holds",
                   "access it as its real type in the differentiated code, or compile with -O1 or "
                   "higher so that type-based alias information is present");
}

} // namespace isozyme
