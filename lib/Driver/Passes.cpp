//===- Passes.cpp - Isozyme's stages as LLVM passes -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates a module and simplifies what came of it; or runs the stages up
// to one and prints what that stage found out. Never decides anything about
// derivatives.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Passes.h"
#include "isozyme/Activity/ActivityAnalysis.h"
#include "isozyme/Cleanup/SwapLoops.h"
#include "isozyme/Driver/Derivatives.h"
#include "isozyme/Driver/DeviceMath.h"
#include "isozyme/Driver/Differentiate.h"
#include "isozyme/Driver/ExplainRequests.h"
#include "isozyme/Driver/LibraryBodies.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Driver/OptNoneClones.h"
#include "isozyme/Driver/ResolvedCalls.h"
#include "isozyme/Driver/TypedFunction.h"
#include "isozyme/Driver/VirtualShadows.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Explain/Explainer.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "isozyme/Plan/PlanFile.h"
#include "isozyme/Plan/RecordPlan.h"
#include "isozyme/Prepare/IndirectCalls.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Requests/ChosenTargets.h"
#include "isozyme/Requests/Launches.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/PlainCalls.h"
#include "isozyme/Requests/RequestPrinter.h"
#include "isozyme/Requests/RequestText.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/UnusedFunctions.h"
#include "isozyme/Target/TargetModel.h"
#include "isozyme/Types/TypeAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// What a call of isozyme_checkpoint says has been used, and so have helpers; the linker's run
/// comes before that.
static bool releaseMarks(Module &M, const AutodiffSetup &Setup) {
  if (Setup.BeforeLink || Setup.BeforeThinLink)
    return false;
  const bool HadHelpers = stopKeepingHelpers(M);
  return eraseCheckpointCalls(M) || HadHelpers;
}

/// The plans that -isozyme-plan-in asks for; none where the file is not right, which is an error.
static PlanFile readPlans(Module &M) {
  Expected<PlanFile> Plans = PlanFile::read(options().PlanIn);
  if (Plans)
    return std::move(*Plans);
  M.getContext().emitError(toString(Plans.takeError()));
  return PlanFile();
}

/// Writes what -isozyme-plan-out asks for, and says which plans that were given belong to nothing.
static void finishPlans(Module &M, PlanFile &Plans, bool BeforeLink) {
  if (Error E = Plans.write(options().PlanOut))
    M.getContext().emitError(toString(std::move(E)));
  if (!options().PlanIn.empty() && !BeforeLink)
    Plans.warnOfUnused(M);
}

/// Writes what -isozyme-explain asks for, and removes what was made for it alone.
static void finishExplanation(Module &M, Explainer &Explain) {
  if (Error E = Explain.write(options().Explain))
    M.getContext().emitError(toString(std::move(E)));
  eraseExplainRequests(M);
}

/// An error where derivatives would be wrong: at the first call, and for all of them.
static Error checkTarget(Module &M) {
  TargetModel Target(M);
  if (Target.isSupported())
    return Error::success();
  SmallVector<CallBase *, 4> Calls = findEntryCalls(M);
  if (Calls.empty())
    return Error::success();
  return diffError(
      DiagId::UnsupportedTarget, Place(*Calls.front()),
      "this code is compiled for " + Target.name() + ", for which Isozyme makes no derivatives",
      Target.isAccelerator()
          ? "compile for nvptx64 or amdgcn, or differentiate a version of the function that runs "
            "on the host"
          : "compile for a processor such as x86, Arm, Power or RISC-V");
}

/// What LLVM does, and then what the plan wants done with loops that are simple by then.
static void simplifyAfter(Module &M, const AutodiffSetup &Setup, ModuleAnalysisManager &MAM) {
  if (Setup.After && !Setup.AllRaw)
    MAM.invalidate(M, Setup.After->run(M, MAM));
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M)
    swapMarkedLoops(F, FAM);
}

/// Removes the copies of functions that were made for a while, where no derivative calls them.
static void finishCopies(Module &M, OptNoneClones *Clones, ModuleAnalysisManager &MAM) {
  if (Clones)
    Clones->finish(M, MAM);
  SetVector<Function *> Forms;
  for (Function &F : M)
    if (F.hasFnAttribute(marking::WithProcedure))
      Forms.insert(&F);
  eraseUnused(std::move(Forms), MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
}

/// Derivatives are made: what has served them goes, or waits for those that are made at the link.
static bool finishMarkings(Module &M, bool BeforeLink) {
  if (BeforeLink) {
    keepHelpers(M);
    return false;
  }
  const bool Changed = lowerIterations(M);
  // Their meaning has been used: what they do is now all that counts.
  unpinMarked(M);
  return Changed;
}

PreservedAnalyses AutodiffPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (Setup.LoadOptions)
    Setup.LoadOptions();
  if (!options().Enabled) {
    releaseTargets(M);
    return releaseMarks(M, Setup) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  describeCheckpointCalls(M);
  std::optional<Explainer> Explain;
  if (!options().Explain.empty())
    Explain.emplace(M, Setup.Level, options().ExplainFunction, options().ExplainMode);
  if (!hasRequests(M)) {
    releaseTargets(M);
    if (Explain)
      finishExplanation(M, *Explain);
    return releaseMarks(M, Setup) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  if (Error E = checkTarget(M)) {
    report(std::move(E));
    releaseTargets(M);
    return PreservedAnalyses::all();
  }
  report(applyAnnotations(M));
  const bool Lowered = lowerLaunches(M);
  markDeviceMath(M);
  report(checkEntryNames(M));
  report(lowerInactiveCalls(M));
  const bool Renamed = callByOwnNames(M);
  if (pinMarked(M) || Lowered || Renamed)
    MAM.invalidate(M, PreservedAnalyses::none());
  if (Setup.Before)
    MAM.invalidate(M, Setup.Before->run(M, MAM));

  std::optional<OptNoneClones> Clones;
  if (Setup.Raw) {
    // Clones have the chains of calls from the start, and call clones in them.
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    ResolvedCalls Resolved(M, MarkerTargets(M).roots(), FAM, /*Callbacks=*/false);
    Clones.emplace(M, Setup.AllRaw);
  }
  bool HasClones = Clones && !Clones->empty();
  if (HasClones)
    Clones->simplify(M, *Setup.Raw, MAM);
  // Now that everything is inlined that is to be.
  if (splitChosenCalls(M)) {
    if (HasClones)
      Clones->nameClones(M);
    MAM.invalidate(M, PreservedAnalyses::none());
  }

  DifferentiateOptions Options;
  Options.BeforeLink = Setup.BeforeLink || (Setup.BeforeThinLink && M.getModuleFlag("UnifiedLTO"));
  bool UsesPlans = !options().PlanIn.empty() || !options().PlanOut.empty();
  PlanFile Plans = readPlans(M);
  Options.Explain = Explain ? &*Explain : nullptr;
  Options.Plans = UsesPlans ? &Plans : nullptr;
  Options.RunPrepared = options().RunPrepared;
  bool Changed = differentiateModule(M, MAM, Options);
  finishPlans(M, Plans, Options.BeforeLink);
  Changed |= finishMarkings(M, Options.BeforeLink);
  if (Changed)
    MAM.invalidate(M, PreservedAnalyses::none());
  if (Changed && HasClones)
    Clones->simplify(M, *Setup.RawAfter, MAM);
  finishCopies(M, HasClones ? &*Clones : nullptr, MAM);
  // Before passes that move code out of loops and loops out of code.
  bool HadMarks = releaseMarks(M, Setup);
  if (Changed)
    simplifyAfter(M, Setup, MAM);
  releaseTargets(M);
  if (Explain)
    finishExplanation(M, *Explain);
  if (!Changed && !HasClones && !Setup.Before && !HadMarks)
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

namespace {
/// Runs the stages for one request, up to the one to be printed.
class StagePrinter {
public:
  StagePrinter(PrintedStage Stage, raw_ostream &OS, FunctionAnalysisManager &FAM)
      : Stage(Stage), OS(OS), FAM(FAM) {}

  Error printPrepared(Function &F) {
    Expected<std::unique_ptr<PreparedFunction>> P = prepareFunction(F, FAM);
    if (!P)
      return P.takeError();
    (*P)->print(OS);
    return Error::success();
  }

  Error print(const DiffRequest &R) {
    if (Stage == PrintedStage::Needs || Stage == PrintedStage::Plan)
      return printPlanning(R);
    TypeSummaries Known;
    Expected<TypedFunction> Typed = prepareWithTypes(*R.Fn, FAM, Known);
    if (!Typed)
      return Typed.takeError();
    const PreparedFunction &P = *Typed->P;
    const TypeResult &Types = *Typed->Types;
    if (Stage == PrintedStage::Types) {
      Types.print(OS);
      return Error::success();
    }
    Expected<ActivityResult> Activity = analyzeActivity(P, Types, R);
    if (!Activity)
      return Activity.takeError();
    Activity->print(OS);
    return Error::success();
  }

  /// What the first half of forward mode in two halves writes down.
  Error printRecord(Function &F) {
    return Derivatives(*F.getParent(), FAM).inspectRecord(F, [&](const RecordPlan &Plan) {
      Plan.print(OS);
    });
  }

private:
  Error printPlanning(const DiffRequest &R) {
    Derivatives All(*R.Fn->getParent(), FAM);
    if (!R.isReverse() && Stage == PrintedStage::Plan)
      return All.inspectForward(R, [&](const ForwardPlan &Plan) { Plan.print(OS); });
    if (!R.isReverse()) {
      OS << "no needs of " << R.str() << ": nothing is kept\n";
      return Error::success();
    }
    if (Stage == PrintedStage::Plan)
      All.lookAtCheckpoints([&](const CheckpointPlan &Plan) { Plan.print(OS); });
    return All.inspectPlan(R, [&](const DerivativePlan &Plan) {
      if (Stage == PrintedStage::Plan)
        return Plan.print(OS);
      OS << "needs of " << R.str() << '\n';
      printNeeds(Plan.Needs, OS);
    });
  }

  PrintedStage Stage;
  raw_ostream &OS;
  FunctionAnalysisManager &FAM;
};
} // namespace

/// Tests of one stage have no caller. They say what is asked for with an attribute.
static constexpr StringLiteral RequestAttribute = "isozyme-request";

/// What attributes ask for. Reports what cannot be read.
static SmallVector<DiffRequest, 4> requestsOfAttributes(Module &M) {
  SmallVector<DiffRequest, 4> Requests;
  for (Function &F : M) {
    if (F.isDeclaration() || !F.hasFnAttribute(RequestAttribute))
      continue;
    StringRef Text = F.getFnAttribute(RequestAttribute).getValueAsString();
    if (Expected<DiffRequest> R = parseRequest(Text, F))
      Requests.push_back(std::move(*R));
    else
      report(R.takeError());
  }
  return Requests;
}

/// What marker calls and attributes ask for, each once, and functions of which there is a
/// record. Reports what cannot be read.
static SmallVector<DiffRequest, 4> requestsOf(Module &M, SetVector<Function *> &Recorded) {
  SmallVector<DiffRequest, 4> Requests = requestsOfAttributes(M);
  for (CallBase *Call : findMarkerCalls(M)) {
    Expected<MarkerCall> C = parseMarkerCall(*Call);
    if (!C) {
      report(C.takeError());
      continue;
    }
    if (C->FromRecord)
      Recorded.insert(C->Request.Fn);
    if (!is_contained(Requests, C->Request))
      Requests.push_back(std::move(C->Request));
  }
  return Requests;
}

/// What a printing pass of Enzyme's is about: the function that an option names, as a call without
/// markers would ask for it, unless calls in \p All do. Without the option, all of them.
static SmallVector<DiffRequest, 4> requestsForEnzyme(Module &M, SmallVector<DiffRequest, 4> All) {
  StringRef Name = options().PrintFunction;
  if (Name.empty())
    return All;
  Function *F = M.getFunction(Name);
  erase_if(All, [&](const DiffRequest &R) { return R.Fn != F; });
  if (!All.empty() || !F || F->isDeclaration())
    return All;
  DiffRequest R = defaultRequest(*F);
  R.Mode = DiffMode::Reverse;
  R.MayOverwrite.clear();
  return {R};
}

PreservedAnalyses StagePrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  LoadOptions();
  describeCheckpointCalls(M);
  if (!Asked.empty())
    OS << "isozyme: remark: '" << Asked << "' is 'print<isozyme-"
       << (Stage == PrintedStage::Types ? "types" : "activity") << ">' here\n";
  report(applyAnnotations(M));
  lowerLaunches(M);
  callByOwnNames(M);
  splitChosenCalls(M);
  if (Stage == PrintedStage::Requests) {
    for (const DiffRequest &R : requestsOfAttributes(M))
      OS << R.str() << '\n';
    printRequests(M, OS);
    return PreservedAnalyses::all();
  }
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  LibraryBodies Bodies(M, FAM);
  StagePrinter Printer(Stage, OS, FAM);
  SetVector<Function *> Recorded;
  SmallVector<DiffRequest, 4> Requests = requestsOf(M, Recorded);
  if (!Asked.empty())
    Requests = requestsForEnzyme(M, std::move(Requests));
  SetVector<Function *> Roots;
  for (const DiffRequest &R : Requests)
    Roots.insert(R.Fn);
  ResolvedCalls Resolved(M, std::move(Roots), FAM);
  if (Stage != PrintedStage::Prepared) {
    for (const DiffRequest &R : Requests)
      if (Error E = Printer.print(R))
        report(std::move(E));
    if (Stage == PrintedStage::Plan)
      for (Function *F : Recorded)
        if (Error E = Printer.printRecord(*F))
          report(std::move(E));
    eraseForms(M, FAM);
    eraseOutlinedLoops(M, FAM);
    return PreservedAnalyses::all();
  }
  SetVector<Function *> Functions;
  for (const DiffRequest &R : Requests)
    Functions.insert(R.Fn);
  if (Requests.empty())
    for (Function &F : M)
      if (!F.isDeclaration())
        Functions.insert(&F);
  for (Function *F : Functions)
    if (Error E = Printer.printPrepared(*F))
      report(std::move(E));
  eraseForms(M, FAM);
  eraseOutlinedLoops(M, FAM);
  return PreservedAnalyses::all();
}

} // namespace isozyme
