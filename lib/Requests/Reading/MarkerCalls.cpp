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
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static SmallVector<CallBase *, 4> findCalls(Module &M, function_ref<bool(EntryPoint)> Wanted) {
  SmallVector<CallBase *, 4> Calls;
  // Without an entry point there is no call of one, and no need to look at code.
  if (none_of(M.functions(), [](const Function &F) { return entryPoint(F.getName()); }))
    return Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Entry = calledEntryPoint(*Call);
            Entry && Wanted(*entryPoint(Entry->getName())))
          Calls.push_back(Call);
  return Calls;
}

SmallVector<CallBase *, 4> findMarkerCalls(Module &M) {
  return findCalls(M, [](EntryPoint Kind) {
    return Kind != EntryPoint::CallInactive && Kind != EntryPoint::Iter &&
           Kind != EntryPoint::Todense && Kind != EntryPoint::Batch &&
           Kind != EntryPoint::VirtualReverse;
  });
}

SmallVector<CallBase *, 4> findEntryCalls(Module &M) {
  return findCalls(M, [](EntryPoint Kind) {
    return Kind != EntryPoint::CallInactive && Kind != EntryPoint::Iter &&
           Kind != EntryPoint::Todense;
  });
}

bool asksForSize(const CallBase &Call) {
  const Function *Entry = calledEntryPoint(Call);
  return Entry && entryPoint(Entry->getName()) == EntryPoint::Augmentsize;
}

/// The identifier in \p F 's name that looks like an entry point's.
static std::string entryIdentifier(const Function &F) {
  std::string Name = demangle(F.getName().str());
  StringRef Word = StringRef(Name).substr(Name.find("__enzyme_"));
  return Word.take_while([](char C) { return isAlnum(C) || C == '_'; }).str();
}

Error checkEntryNames(Module &M) {
  Error All = Error::success();
  for (Function &F : M) {
    if (!F.isDeclaration() || typeHintOf(F))
      continue;
    StringRef Nearest = nearestEntryPoint(F.getName());
    if (Nearest.empty())
      continue;
    SmallDenseSet<std::pair<unsigned, unsigned>> Seen; // Unrolled loops have one call many times.
    for (User *U : F.users()) {
      auto *Call = dyn_cast<CallBase>(U);
      const DILocation *Loc = Call ? Call->getDebugLoc().get() : nullptr;
      if (!Call || Call->getCalledOperand() != &F ||
          (Loc && !Seen.insert({Loc->getLine(), Loc->getColumn()}).second))
        continue;
      All = joinErrors(std::move(All),
                       diffError(DiagId::NotSupportedYet, Place(*Call),
                                 "'" + entryIdentifier(F) + "' is not a known entry point",
                                 "did you mean '" + Nearest + "'?"));
    }
  }
  return All;
}

Function *targetOf(const CallBase &Call, EntryPoint Kind) {
  const Function *Entry = calledEntryPoint(Call);
  unsigned Number = functionOperandNumber(Call);
  return Entry && entryPoint(Entry->getName()) == Kind && Number < Call.arg_size()
             ? tracedFunction(Call.getArgOperand(Number))
             : nullptr;
}

/// What does the same, or nearly so, as an entry point of Enzyme's that is missing here.
static StringRef insteadOf(StringRef Entry) {
  if (Entry.contains("truncate") || Entry.contains("expand"))
    return "write the function with the narrower type, as a template or a copy";
  if (Entry.contains("checkpoint"))
    return "mark the loop by isozyme_checkpoint (docs/checkpointing.md)";
  if (Entry.contains("shadow") || Entry.contains("context"))
    return "pass the address of the variable as an argument, with a shadow of its own";
  if (Entry.contains("error_estimate"))
    return "compare with the same computation in a wider type";
  if (Entry.contains("fixed_point"))
    return "write the iteration as a loop, and give the function that solves a derivative of its "
           "own";
  if (Entry.contains("ptr_size_hint"))
    return "leave it out";
  if (Entry.contains("product") || Entry.contains("sum"))
    return "write it out by operators";
  return "write the logarithm of the density as a function, and differentiate that by "
         "__enzyme_autodiff";
}

Expected<MarkerCall> parseMarkerCall(CallBase &Call, bool Records) {
  Function *Entry = calledEntryPoint(Call);
  assert(Entry && "not a marker call");
  EntryPoint Kind = *entryPoint(Entry->getName());
  if (Kind == EntryPoint::NotSupported)
    return diffError(DiagId::NotSupportedYet, Place(Call),
                     "'" + entryPointText(Entry->getName()) + "' is not in this release of Isozyme",
                     insteadOf(Entry->getName()));
  if (!Records || (Kind != EntryPoint::Augmentfwd && Kind != EntryPoint::Augmentsize))
    return CallReader(Call, Kind).read();
  // Activities as the second half has them; or as the first half of reverse mode has.
  Expected<MarkerCall> AsForward = CallReader(Call, Kind, /*Records=*/true).read();
  if (AsForward)
    return AsForward;
  Expected<MarkerCall> AsReverse = CallReader(Call, Kind).read();
  if (!AsReverse) {
    consumeError(AsReverse.takeError());
    return AsForward;
  }
  consumeError(AsForward.takeError());
  AsReverse->Records = true;
  return AsReverse;
}

} // namespace isozyme
