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
#include "isozyme/Plan/Versions/GivenCopy.h"
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

/// Are there derivatives of all that is called? Nobody makes them for a copy.
bool Derivatives::hasCallees(const CallPlanSet &Calls) {
  return all_of(Calls, [&](const auto &Each) {
    return Each.second.K != CallPlan::Differentiate || findPair(Each.second.Callee);
  });
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
  else if (!hasCallees(A->Calls))
    Plan = nullptr;
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

/// The ranges of a copy of the function of \p Any that is given what the function reads before all
/// else; null if there is no such copy.
std::unique_ptr<VersionPlan> Derivatives::rangesBehindReads(const DerivativePlan &Any,
                                                            const Analysis &A) {
  // What is called may access memory, whatever the function is given.
  if (any_of(Any.Calls, [](const auto &C) { return C.second.K == CallPlan::Differentiate; }))
    return nullptr;
  SmallVector<EntryRead, 8> Reads = findEntryReads(Any.P, Any.Request, *A.Types, A.Activity);
  Function *Copy = Reads.empty() ? nullptr : copyThatIsGiven(Reads, *Any.Request.Fn);
  if (!Copy)
    return nullptr;
  Created.push_back(Copy);
  std::unique_ptr<DerivativePlan> Given = planQuietly(requestForCopy(Any.Request, *Copy, Reads));
  std::unique_ptr<VersionPlan> V = Given ? findAccessedRanges(*Given, std::move(Reads)) : nullptr;
  if (!V) {
    Given.reset();
    eraseCopy(*Copy);
    return nullptr;
  }
  V->Given = std::move(Given);
  return V;
}

/// The ranges of a copy of the function that is given the rows of its tables; null if there is no
/// such copy. \p Before are the ranges of what \p Any derives, or of a copy that is given words.
std::unique_ptr<VersionPlan> Derivatives::rangesBehindTables(const DerivativePlan &Any,
                                                             VersionPlan &Before) {
  constexpr unsigned MostStages = 3;
  SmallVector<RowStage, 2> Stages;
  const DerivativePlan *At = &Before.measured(Any);
  while (Stages.size() < MostStages) {
    RowTables Tables = findRowTables(*At);
    if (Tables.Tables.empty())
      break;
    Function *Copy = copyWithEvenRows(*At, Tables);
    Created.push_back(Copy);
    std::unique_ptr<DerivativePlan> With =
        planQuietly(requestForEvenRows(At->Request, *Copy, Tables));
    if (!With) {
      eraseCopy(*Copy);
      break;
    }
    At = With.get();
    Stages.emplace_back(std::move(Tables), std::move(With));
  }
  if (Stages.empty())
    return nullptr;
  std::unique_ptr<VersionPlan> V = findAccessedRanges(*At, Before.Reads, std::move(Stages));
  if (!V)
    return nullptr;
  if (!V->Refused.empty()) {
    eraseGiven(*V);
    return nullptr;
  }
  V->Given = std::move(Before.Given);
  return V;
}

/// Decides whether \p Any has a second version. One whose decisions the user has made has none.
void Derivatives::planVersions(DerivativePlan &Any, const Analysis &A) {
  if (IsVersion || Cutting || (Plans && !Plans->wishesFor(Any.Request).empty()))
    return;
  std::unique_ptr<VersionPlan> &V = Any.Versions;
  V = findAccessedRanges(Any);
  if (V && !V->Refused.empty())
    if (std::unique_ptr<VersionPlan> Behind = rangesBehindReads(Any, A))
      V = std::move(Behind);
  if (V && !V->Refused.empty())
    if (std::unique_ptr<VersionPlan> Behind = rangesBehindTables(Any, *V))
      V = std::move(Behind);
  if (!V)
    return;
  if (V->Refused.empty()) {
    DiffRequest R = V->measured(Any).Request;
    R.Fn = &apartCopyOf(*R.Fn, *V);
    Created.push_back(R.Fn);
    useNewFacts(*R.Fn, FAM);
    if (std::unique_ptr<DerivativePlan> Apart = planQuietly(R))
      chooseVersions(*V, Any, std::move(Apart));
    else
      V->Refused = "the second one cannot be planned";
    if (!V->Apart)
      eraseCopy(*R.Fn);
  }
  if (!V->Apart)
    eraseGiven(*V);
}

/// When nobody asks any more where the ranges were found.
void Derivatives::eraseGiven(VersionPlan &V) {
  V.Ranges.clear(); // Their formulas are about the copies.
  V.Assumed.clear();
  V.Pairs.clear();
  V.Reads.clear();
  auto drop = [&](std::unique_ptr<DerivativePlan> &Plan) {
    Function *Copy = Plan->Request.Fn;
    Plan.reset();
    eraseCopy(*Copy);
  };
  // Each of these was found in the one before.
  for (; !V.Stages.empty(); V.Stages.pop_back()) {
    V.Stages.back().Tables = {};
    drop(V.Stages.back().With);
  }
  if (V.Given)
    drop(V.Given);
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
  Any.Versions->Apart.reset();
  eraseGiven(*Any.Versions);
  Any.Versions.reset();
  eraseCopy(*Copy);
}

/// \p Shell chooses one of two functions at run time.
Error Derivatives::emitVersions(Function &Shell, const DerivativePlan &Any) {
  Function *Versions[2];
  const DerivativePlan &Apart = *Any.Versions->Apart;
  for (const DerivativePlan *Plan : {&Apart, &Any}) {
    Function *F = declare(Plan->Request, nullptr);
    F->setName(Shell.getName() + (Plan == &Any ? ".any" : ".apart"));
    if (Plan == &Any)
      F->addFnAttr(Attribute::Cold);
    if (Error E = emitCounted(*F, *Plan))
      return E;
    if (Error E = finish(*F, *Any.Request.Fn))
      return E;
    Versions[Plan == &Any] = F;
  }
  emitChoiceOfVersions(Shell, Any, *Versions[0], *Versions[1]);
  return Error::success();
}

} // namespace isozyme
