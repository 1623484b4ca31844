//===- CompiledModule.cpp - Code that is compiled at run time -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompiledModule.h"
#include "DerivativeStub.h"
#include "isozyme/Driver/Pipeline.h"
#include "isozyme/Support/Options.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

// Of the compiler's own library: it finds a thread's copy of a variable.
extern "C" void *__emutls_get_address(void *);

namespace isozyme::jit {
namespace {

Error failure(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

/// Collects the errors of a context, one a line.
struct ErrorCollector : DiagnosticHandler {
  explicit ErrorCollector(std::string &Text) : Text(Text) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    OS << '\n';
    return true;
  }
  std::string &Text;
};

Expected<std::unique_ptr<Module>> read(MemoryBufferRef IR, LLVMContext &C) {
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M = parseIR(IR, Wrong, C);
  if (!M) {
    std::string Text;
    raw_string_ostream OS(Text);
    Wrong.print(nullptr, OS, /*ShowColors=*/false);
    return failure(Text);
  }
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyModule(*M, &OS))
    return failure("this is no valid LLVM IR: " + Text);
  return M;
}

/// Gives everything that belongs to the module a name that other modules see, so that derivatives
/// use the same variables. What may be left out when nothing uses it stays.
void shareNames(Module &M) {
  unsigned Count = 0;
  for (GlobalValue &V : M.global_values()) {
    if (V.isDeclaration() || V.hasAppendingLinkage() || V.getName().starts_with("llvm."))
      continue;
    if (V.hasLocalLinkage()) {
      V.setName(V.getName() + ".isozyme." + Twine(Count++));
      V.setLinkage(GlobalValue::ExternalLinkage);
    } else if (V.hasLinkOnceLinkage()) {
      V.setLinkage(GlobalValue::getWeakLinkage(V.hasLinkOnceODRLinkage()));
    }
    V.setVisibility(GlobalValue::DefaultVisibility);
  }
}

/// Leaves of a copy what a derivative may read: the bodies of functions, and constants.
void keepForReading(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (G.hasAppendingLinkage() || G.getName().starts_with("llvm.")) {
      G.eraseFromParent();
      continue;
    }
    if (G.isDeclaration())
      continue;
    G.setComdat(nullptr);
    if (G.isConstant()) {
      G.setLinkage(GlobalValue::AvailableExternallyLinkage);
    } else {
      G.setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  for (Function &F : M)
    if (!F.isDeclaration()) {
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::AvailableExternallyLinkage);
    }
}

/// Memory for tapes that a thread keeps is released by code that runs when the thread ends. Here
/// the code may be gone by then.
void setOptionsOfLibrary() {
  Options O;
  O.TapeMemory = TapePolicy::Malloc;
  setOptions(O);
}

/// What clang does at -O2 with the plugin.
Error optimise(Module &M, TargetMachine &TM) {
  std::string Errors;
  M.getContext().setDiagnosticHandler(std::make_unique<ErrorCollector>(Errors));
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM);
  registerIsozyme(PB, setOptionsOfLibrary);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(M, MAM);
  return Errors.empty() ? Error::success() : failure(Errors);
}

} // namespace

Expected<std::unique_ptr<CompiledModule>> CompiledModule::create(MemoryBufferRef IR) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  });
  auto C = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> M = read(IR, *C);
  if (!M)
    return M.takeError();
  Expected<orc::JITTargetMachineBuilder> Target = orc::JITTargetMachineBuilder::detectHost();
  if (!Target)
    return Target.takeError();
  // Variables of threads without help from the system's loader, which does not know this code.
  Target->getOptions().EmulatedTLS = true;
  Expected<std::unique_ptr<orc::LLJIT>> Engine =
      orc::LLJITBuilder().setJITTargetMachineBuilder(*Target).create();
  if (!Engine)
    return Engine.takeError();
  orc::JITDylib &Library = (*Engine)->getMainJITDylib();
  if (Error E = Library.define(
          orc::absoluteSymbols({{(*Engine)->mangleAndIntern("__emutls_get_address"),
                                 orc::ExecutorSymbolDef::fromPtr(&__emutls_get_address)}})))
    return std::move(E);
  std::unique_ptr<CompiledModule> Result(
      new CompiledModule(std::move(*Engine), std::move(*Target)));
  (*M)->setDataLayout(Result->Engine->getDataLayout());
  shareNames(**M);
  raw_svector_ostream OS(Result->Bitcode);
  WriteBitcodeToFile(**M, OS);
  if (Error E = Result->compile({std::move(*M), std::move(C)}))
    return std::move(E);
  if (Error E = Result->Engine->initialize(Library))
    return std::move(E);
  return Result;
}

CompiledModule::~CompiledModule() { consumeError(Engine->deinitialize(Engine->getMainJITDylib())); }

Error CompiledModule::compile(orc::ThreadSafeModule M) {
  Expected<std::unique_ptr<TargetMachine>> TM = Target.createTargetMachine();
  if (!TM)
    return TM.takeError();
  if (Error E = M.withModuleDo([&](Module &Inner) { return optimise(Inner, **TM); }))
    return E;
  return Engine->addIRModule(std::move(M));
}

Expected<void *> CompiledModule::addressOf(StringRef Name) {
  Expected<orc::ExecutorAddr> Found = Engine->lookup(Name);
  if (!Found)
    return Found.takeError();
  return Found->toPtr<void *>();
}

Expected<void *> CompiledModule::function(StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  return addressOf(Name);
}

Expected<void *> CompiledModule::derivative(StringRef Name, bool Reverse, StringRef Activities) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::string Key =
      (Name + (Reverse ? ":reverse:" : ":forward:") + (Activities.data() ? Activities : "default"))
          .str();
  if (void *Known = Derivatives.lookup(Key))
    return Known;
  auto C = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> M = read(MemoryBufferRef(Bitcode, "module"), *C);
  if (!M)
    return M.takeError();
  Function *F = (*M)->getFunction(Name);
  if (!F || F->isDeclaration())
    return failure("there is no function '" + Name + "' with a body");
  keepForReading(**M);
  std::string StubName = ("isozyme.derivative." + Twine(Derivatives.size())).str();
  Expected<Function *> Stub = addDerivativeStub(*F, StubName, Reverse, Activities);
  if (!Stub)
    return Stub.takeError();
  if (Error E = compile({std::move(*M), std::move(C)}))
    return std::move(E);
  Expected<void *> Address = addressOf(StubName);
  if (Address)
    Derivatives[Key] = *Address;
  return Address;
}

} // namespace isozyme::jit
