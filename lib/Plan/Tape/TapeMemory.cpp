//===- TapeMemory.cpp - Which memory tapes lie in -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tape that a call makes and gives back may lie in memory that the thread keeps for the
// next one. What users hold may be given back by another thread, or never; and tools that
// look for errors of memory see each array for itself only if it is a block from malloc.
//
// In: the function, the request, the options.  Out: one answer for each derivative.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/TargetModel.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// Is \p F compiled for a tool that checks accesses to memory?
static bool isSanitized(const Function &F) {
  return any_of(ArrayRef({Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
                          Attribute::SanitizeMemory, Attribute::SanitizeMemTag}),
                [&](Attribute::AttrKind K) { return F.hasFnAttribute(K); });
}

TapeMemory memoryOfTape(const PreparedFunction &P, const DiffRequest &R) {
  const Function &F = P.original();
  bool OfThread = options().TapeMemory == TapePolicy::Thread && !R.TapeOutlives &&
                  !isSanitized(F) && TargetModel(*F.getParent()).hasThreadMemory();
  return OfThread ? TapeMemory::Thread : TapeMemory::Heap;
}

bool mayBeLeft(const PreparedFunction &P, const CallPlanSet &Calls) {
  return any_of(instructions(P.function()), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      return false;
    auto It = Calls.find(Call);
    CallPlan::Kind K = It == Calls.end() ? CallPlan::Inactive : It->second.K;
    if (K == CallPlan::Differentiate || K == CallPlan::ByRule)
      return false;
    // A function of the C library that throws nothing comes back, or ends the program.
    LibFunc Known;
    const Function *Callee = Call->getCalledFunction();
    bool ComesBack = Call->hasFnAttr(Attribute::WillReturn) ||
                     (Callee && P.libraryInfo().getLibFunc(*Callee, Known));
    return !Call->doesNotThrow() || !ComesBack;
  });
}

} // namespace isozyme
