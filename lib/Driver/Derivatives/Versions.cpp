//===- Versions.cpp - A derivative with a version for memory that is apart ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second version is the derivative of a copy of the function with `noalias` parameters. It goes
// through all stages, like any other; nobody is told what they find out.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/Versions.h"
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Plan/PlanFile.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace isozyme {

/// What the compiler would have done if it had known: what a loop reads again and again stays in a
/// register, and so does its sum.
static void useNewFacts(Function &Copy, FunctionAnalysisManager &FAM) {
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FAM.invalidate(Copy, Passes.run(Copy, FAM));
}

/// The plan of the copy; null if there is none.
std::unique_ptr<DerivativePlan> Derivatives::planQuietly(const DiffRequest &R) {
  Explainer *Told = std::exchange(Explain, nullptr);
  PlanFile *Noted = std::exchange(Plans, nullptr);
  bool WasQuiet = std::exchange(IsQuiet, true);
  IsVersion = true;
  std::unique_ptr<DerivativePlan> Plan;
  if (Expected<Analysis> A = analyze(R); !A)
    consumeError(A.takeError());
  else if (Expected<std::unique_ptr<DerivativePlan>> Made = planFrom(R, *A); !Made)
    consumeError(Made.takeError());
  else
    Plan = std::move(*Made);
  IsVersion = false;
  IsQuiet = WasQuiet;
  Plans = Noted;
  Explain = Told;
  return Plan;
}

/// Decides whether \p Any has a second version. One whose decisions the user has made has none.
void Derivatives::planVersions(DerivativePlan &Any) {
  if (IsVersion || Cutting || (Plans && !Plans->wishesFor(Any.Request).empty()))
    return;
  std::unique_ptr<VersionPlan> V = findAccessedRanges(Any);
  if (V && V->Refused.empty()) {
    Function &Copy = apartCopyOf(*Any.Request.Fn, *V);
    Created.push_back(&Copy);
    useNewFacts(Copy, FAM);
    DiffRequest R = Any.Request;
    R.Fn = &Copy;
    if (std::unique_ptr<DerivativePlan> Apart = planQuietly(R))
      chooseVersions(*V, Any, std::move(Apart));
    else
      V->Refused = "the second one cannot be planned";
    if (!V->Apart)
      eraseCopy(Copy);
  }
  Any.Versions = std::move(V);
}

/// What was planned for a version, and nobody calls.
void Derivatives::eraseCopy(Function &Copy) {
  Sources.erase(&Copy);
  erase(Created, &Copy);
  FAM.clear(Copy, Copy.getName()); // Another function may come to its address.
  Copy.eraseFromParent();
}

/// When all has been said about the versions of \p Any.
void Derivatives::dropVersions(DerivativePlan &Any) {
  Function *Copy = Any.Versions->Apart->Request.Fn;
  Any.Versions.reset();
  eraseCopy(*Copy);
}

/// \p Shell chooses one of two functions at run time.
Error Derivatives::emitVersions(Function &Shell, const DerivativePlan &Any) {
  auto Lookup = [&](const DiffRequest &Callee) { return findPair(Callee)->Functions; };
  Function *Versions[2];
  const DerivativePlan &Apart = *Any.Versions->Apart;
  for (const DerivativePlan *Plan : {&Apart, &Any}) {
    Function *F = declare(Plan->Request, nullptr);
    F->setName(Shell.getName() + (Plan == &Any ? ".any" : ".apart"));
    if (Plan == &Any)
      F->addFnAttr(Attribute::Cold);
    if (Error E = emitReverse(*F, *Plan, Lookup))
      return E;
    if (Error E = finish(*F))
      return E;
    Versions[Plan == &Any] = F;
  }
  emitChoiceOfVersions(Shell, Any, *Versions[0], *Versions[1]);
  return Error::success();
}

} // namespace isozyme
