//===- Pipeline.cpp - Where Isozyme runs in LLVM's pipelines --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Isozyme wants code that is simplified (inlined, in SSA form, loops rotated) and
// not yet vectorised: the optimizer-early extension point. Full LTO has no such
// point at link time; there it runs first. Derivatives get the simplification
// that the rest of the module has had already; vectorisation follows by itself.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Pipeline.h"
#include "isozyme/Cleanup/RowChecks.h"
#include "isozyme/Driver/ExplainRequests.h"
#include "isozyme/Driver/MarkerTargets.h"
#include "isozyme/Driver/Passes.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace isozyme {

using LoadOptionsFn = void (*)();

static std::shared_ptr<ModulePassManager> shared(ModulePassManager MPM) {
  return std::make_shared<ModulePassManager>(std::move(MPM));
}

/// Brings unsimplified functions to the shape that -O2 gives them before the
/// vectoriser. Touches no global variable and no optnone function.
static std::shared_ptr<ModulePassManager> simplifyRaw(PassBuilder &PB) {
  ModulePassManager MPM;
  FunctionPassManager Early;
  Early.addPass(SimplifyCFGPass());
  Early.addPass(SROAPass(SROAOptions::ModifyCFG));
  Early.addPass(EarlyCSEPass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Early)));
  MPM.addPass(PB.buildInlinerPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None));
  return shared(std::move(MPM));
}

static std::shared_ptr<ModulePassManager> simplifyModule(PassBuilder &PB, OptimizationLevel L) {
  if (L == OptimizationLevel::O0)
    return nullptr;
  return shared(PB.buildModuleSimplificationPipeline(L, ThinOrFullLTOPhase::None));
}

static std::string nameOf(OptimizationLevel L) {
  if (L.getSizeLevel())
    return L.getSizeLevel() == 1 ? "-Os" : "-Oz";
  return "-O" + std::to_string(L.getSpeedupLevel());
}

static void registerDefaultPipelines(PassBuilder &PB, LoadOptionsFn LoadOptions) {
  PB.registerPipelineStartEPCallback([LoadOptions](ModulePassManager &MPM, OptimizationLevel L) {
    MPM.addPass(ExplainRequestPass(LoadOptions));
    MPM.addPass(KeepTargetsPass(/*PinOnly=*/L == OptimizationLevel::O0));
  });
  // PB outlives the callbacks: it holds them.
  PB.registerOptimizerEarlyEPCallback(
      [&PB, LoadOptions](ModulePassManager &MPM, OptimizationLevel L, ThinOrFullLTOPhase Phase) {
        AutodiffSetup Setup;
        Setup.LoadOptions = LoadOptions;
        Setup.Raw = simplifyRaw(PB);
        Setup.RawAfter = simplifyRaw(PB);
        Setup.AllRaw = L == OptimizationLevel::O0;
        Setup.After = simplifyModule(PB, L);
        Setup.Level = nameOf(L);
        Setup.BeforeLink = Phase == ThinOrFullLTOPhase::FullLTOPreLink;
        Setup.BeforeThinLink = Phase == ThinOrFullLTOPhase::ThinLTOPreLink;
        MPM.addPass(AutodiffPass(std::move(Setup)));
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(RowChecksPass()); });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [&PB, LoadOptions](ModulePassManager &MPM, OptimizationLevel L) {
        MPM.addPass(KeepTargetsPass(/*PinOnly=*/true));
        AutodiffSetup Setup;
        Setup.LoadOptions = LoadOptions;
        Setup.Raw = simplifyRaw(PB);
        Setup.RawAfter = simplifyRaw(PB);
        Setup.AllRaw = L == OptimizationLevel::O0;
        Setup.Level = nameOf(L) + " at link time";
        // Only now are the functions of other files there to be inlined.
        Setup.Before = simplifyModule(PB, L);
        Setup.After = simplifyModule(PB, L);
        MPM.addPass(AutodiffPass(std::move(Setup)));
      });
}

/// `preserve-nvvm`: in Enzyme's pipelines it stands before the inliner, and does the same.
static bool parseKeepTargets(StringRef Name, ModulePassManager &MPM) {
  if (Name != "preserve-nvvm")
    return false;
  MPM.addPass(KeepTargetsPass(/*PinOnly=*/false));
  return true;
}

/// `autodiff`, `autodiff<no-cleanup>` and the aliases.
static bool parseAutodiff(PassBuilder &PB, LoadOptionsFn LoadOptions, StringRef Name,
                          ModulePassManager &MPM) {
  if (!Name.consume_front("autodiff") && !Name.consume_front("enzyme") &&
      !Name.consume_front("isozyme"))
    return false;
  bool Cleanup = true;
  if (!Name.empty()) {
    if (!Name.consume_front("<") || !Name.consume_back(">"))
      return false;
    while (!Name.empty()) {
      StringRef Parameter;
      std::tie(Parameter, Name) = Name.split(';');
      if (Parameter != "no-cleanup")
        return false;
      Cleanup = false;
    }
  }
  AutodiffSetup Setup;
  Setup.LoadOptions = LoadOptions;
  Setup.Raw = simplifyRaw(PB);
  Setup.RawAfter = simplifyRaw(PB);
  if (Cleanup)
    Setup.After = simplifyModule(PB, OptimizationLevel::O2);
  MPM.addPass(ExplainRequestPass(LoadOptions));
  MPM.addPass(AutodiffPass(std::move(Setup)));
  return true;
}

/// Passes of Enzyme's that print.
static bool parseEnzymePrinter(LoadOptionsFn LoadOptions, StringRef Name, ModulePassManager &MPM) {
  static constexpr std::pair<StringLiteral, PrintedStage> Passes[] = {
      {"print-type-analysis", PrintedStage::Types},
      {"print-activity-analysis", PrintedStage::Activity}};
  for (const auto &[PassName, Stage] : Passes)
    if (Name == PassName) {
      MPM.addPass(StagePrinterPass(Stage, dbgs(), LoadOptions, PassName));
      return true;
    }
  return false;
}

static bool parsePrinter(LoadOptionsFn LoadOptions, StringRef Name, ModulePassManager &MPM) {
  if (!Name.consume_front("print<isozyme-") || !Name.consume_back(">"))
    return false;
  static constexpr std::pair<StringLiteral, PrintedStage> Stages[] = {
      {"requests", PrintedStage::Requests}, {"prepared", PrintedStage::Prepared},
      {"types", PrintedStage::Types},       {"activity", PrintedStage::Activity},
      {"needs", PrintedStage::Needs},       {"plan", PrintedStage::Plan}};
  for (auto &[StageName, Stage] : Stages)
    if (Name == StageName) {
      MPM.addPass(StagePrinterPass(Stage, dbgs(), LoadOptions));
      return true;
    }
  return false;
}

void registerIsozyme(PassBuilder &PB, LoadOptionsFn LoadOptions) {
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks()) {
    PIC->addClassToPassName(AutodiffPass::name(), "autodiff");
    PIC->addClassToPassName(ExplainRequestPass::name(), "isozyme-explain-request");
    PIC->addClassToPassName(KeepTargetsPass::name(), "isozyme-keep-targets");
    PIC->addClassToPassName(StagePrinterPass::name(), "print<isozyme>");
  }
  registerDefaultPipelines(PB, LoadOptions);
  PB.registerPipelineParsingCallback([&PB, LoadOptions](StringRef Name, ModulePassManager &MPM,
                                                        ArrayRef<PassBuilder::PipelineElement>) {
    return parsePrinter(LoadOptions, Name, MPM) || parseEnzymePrinter(LoadOptions, Name, MPM) ||
           parseKeepTargets(Name, MPM) || parseAutodiff(PB, LoadOptions, Name, MPM);
  });
}

} // namespace isozyme
