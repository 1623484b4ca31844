//===- Differentiate.cpp - All requests of a module -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers marker calls one by one, those inside differentiated code first; a
// call that fails is reported and left, and the others are still lowered.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Differentiate.h"
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace isozyme {

bool hasRequests(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().contains("__enzyme_") && !F.use_empty();
  });
}

namespace {

class RequestLowering {
public:
  RequestLowering(Module &M, FunctionAnalysisManager &FAM, bool BeforeLink)
      : M(M), All(M, FAM), BeforeLink(BeforeLink) {}

  bool run() {
    for (CallBase *Call : findMarkerCalls(M))
      Open.insert(Call);
    if (!Open.empty())
      report(checkAnnotations(M, Place(*Open.front())));
    while (!Open.empty())
      lower(*Open.front());
    return Changed;
  }

private:
  void lower(CallBase &Call);
  void lowerInside(Function &F);
  bool isForTheLinker(const Error &E) const;

  Module &M;
  Derivatives All; ///< A request that is made at several places is derived once.
  bool BeforeLink, Changed = false;
  SetVector<CallBase *> Open;
};

} // namespace

/// Calls in code that is about to be differentiated are lowered before it.
void RequestLowering::lowerInside(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (size_t Next = 0; Next < Reached.size(); ++Next) {
    SmallVector<CallBase *, 2> Inner;
    for (Instruction &I : instructions(*Reached[Next])) {
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Open.contains(Call))
        Inner.push_back(Call);
      for (Value *Operand : I.operands())
        if (auto *G = dyn_cast<Function>(Operand->stripPointerCasts()); G && !G->isDeclaration())
          Reached.insert(G);
    }
    for (CallBase *Call : Inner)
      if (Open.contains(Call))
        lower(*Call);
  }
}

bool RequestLowering::isForTheLinker(const Error &E) const {
  if (!BeforeLink || !E.isA<DiffError>())
    return false;
  bool Missing = false;
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    DiagId Id = static_cast<const DiffError &>(Info).id();
    Missing |= Id == DiagId::NoBody || Id == DiagId::NoDerivative;
  });
  return Missing;
}

void RequestLowering::lower(CallBase &Call) {
  Open.remove(&Call);
  Expected<MarkerCall> Parsed = parseMarkerCall(Call);
  Error E = Parsed.takeError();
  if (Parsed) {
    lowerInside(*Parsed->Request.Fn);
    Expected<Function *> F = All.get(Parsed->Request);
    if (F) {
      replaceMarkerCall(*Parsed, **F);
      Changed = true;
      return;
    }
    E = withNote(F.takeError(), Place(Call), "needed for the derivative that is asked for here");
  }
  if (isForTheLinker(E)) {
    consumeError(std::move(E));
    return;
  }
  report(std::move(E));
}

bool differentiateModule(Module &M, ModuleAnalysisManager &MAM, bool BeforeLink) {
  if (!hasRequests(M))
    return false;
  TimeTraceScope Time("isozyme");
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = RequestLowering(M, FAM, BeforeLink).run();
  eraseUnusedMarkers(M);
  return Changed;
}

} // namespace isozyme
