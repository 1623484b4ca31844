//===- Program.cpp - The code of one operation, ready to run ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "isozyme/Driver/Differentiate.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numbers>

using namespace llvm;
using namespace llvm::orc;

namespace rulecheck {

namespace {

// Functions that C has since 2023 and few hosts bring.
template <typename T> T sinPi(T X) { return std::sin(std::numbers::pi_v<T> * X); }
template <typename T> T cosPi(T X) { return std::cos(std::numbers::pi_v<T> * X); }
template <typename T> T tanPi(T X) { return std::tan(std::numbers::pi_v<T> * X); }

} // namespace

#if defined(__x86_64__)
// What code for half and powi calls; the compiler's own library has it, but a
// program exports none of it to code made at run time.
extern "C" {
float __extendhfsf2(uint16_t);
uint16_t __truncsfhf2(float);
uint16_t __truncdfhf2(double);
uint16_t __truncxfhf2(long double);
float __powisf2(float, int);
double __powidf2(double, int);
long double __powixf2(long double, int);
}
#endif

namespace {

struct OwnSymbol {
  StringLiteral Name;
  void *Address;
};

template <typename F> void *addressOf(F *Function) { return reinterpret_cast<void *>(Function); }

ArrayRef<OwnSymbol> ownSymbols() {
  static const OwnSymbol Symbols[] = {
      {"sinpi", addressOf(sinPi<double>)},       {"sinpif", addressOf(sinPi<float>)},
      {"sinpil", addressOf(sinPi<long double>)}, {"cospi", addressOf(cosPi<double>)},
      {"cospif", addressOf(cosPi<float>)},       {"cospil", addressOf(cosPi<long double>)},
      {"tanpi", addressOf(tanPi<double>)},       {"tanpif", addressOf(tanPi<float>)},
      {"tanpil", addressOf(tanPi<long double>)},
#if defined(__x86_64__)
      {"__extendhfsf2", addressOf(__extendhfsf2)}, {"__truncsfhf2", addressOf(__truncsfhf2)},
      {"__truncdfhf2", addressOf(__truncdfhf2)},   {"__truncxfhf2", addressOf(__truncxfhf2)},
      {"__powisf2", addressOf(__powisf2)},         {"__powidf2", addressOf(__powidf2)},
      {"__powixf2", addressOf(__powixf2)},
#endif
  };
  return Symbols;
}

Error defineOwnSymbols(LLJIT &JIT) {
  SymbolMap Map;
  for (const OwnSymbol &S : ownSymbols())
    Map[JIT.mangleAndIntern(S.Name)] = {ExecutorAddr::fromPtr(S.Address),
                                        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return JIT.getMainJITDylib().define(absoluteSymbols(std::move(Map)));
}

std::string moduleText(isozyme::Op Id, ArrayRef<Case> Cases, Maker How) {
  std::string Text = referenceIR(Id, hasSymbol);
  StringSet<> Declared;
  for (const Case &C : Cases) {
    if (std::string D = declarationIR(C);
        StringRef(Text).find(D) == StringRef::npos && Declared.insert(D).second)
      Text += D;
    Text += primalIR(C);
    if (How == Maker::Pipeline)
      Text += requestsIR(C);
  }
  if (How == Maker::Pipeline)
    Text += "declare void @__enzyme_fwddiff(...)\ndeclare void @__enzyme_autodiff(...)\n";
  return Text;
}

/// Keeps what the pipeline has to say, where LLVM's own handler would end the program.
void collectDiagnostic(const DiagnosticInfo *Info, void *Messages) {
  raw_string_ostream OS(*static_cast<std::string *>(Messages));
  DiagnosticPrinterRawOStream Printer(OS);
  if (Info->getSeverity() == DS_Error || Info->getSeverity() == DS_Warning) {
    Info->print(Printer);
    OS << '\n';
  }
}

/// What went wrong; empty if every request became a derivative.
std::string differentiate(Module &M) {
  std::string Messages;
  M.getContext().setDiagnosticHandlerCallBack(collectDiagnostic, &Messages);
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  isozyme::differentiateModule(M, MAM);
  for (StringRef Name : {"__enzyme_fwddiff", "__enzyme_autodiff"})
    if (const Function *F = M.getFunction(Name); F && !F->use_empty() && Messages.empty())
      Messages = "a call of " + Name.str() + " is left";
  M.getContext().setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
  return Messages;
}

Error failure(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

} // namespace

bool hasSymbol(StringRef Name) {
  for (const OwnSymbol &S : ownSymbols())
    if (S.Name == Name)
      return true;
  return sys::DynamicLibrary::SearchForAddressOfSymbol(Name.str()) != nullptr;
}

Expected<Program> Program::compile(isozyme::Op Id, ArrayRef<Case> Cases, Maker How, bool Print) {
  auto Machine = JITTargetMachineBuilder::detectHost();
  if (!Machine)
    return Machine.takeError();
  Machine->setCodeGenOptLevel(CodeGenOptLevel::Less);
  auto JIT = LLJITBuilder().setJITTargetMachineBuilder(*Machine).create();
  if (!JIT)
    return JIT.takeError();
  if (Error E = defineOwnSymbols(**JIT))
    return E;

  auto Context = std::make_unique<LLVMContext>();
  SMDiagnostic Diagnostic;
  const std::string Text = moduleText(Id, Cases, How);
  std::unique_ptr<Module> M = parseAssemblyString(Text, Diagnostic, *Context);
  if (!M)
    return failure("test module of " + isozyme::opName(Id) + " does not parse: " +
                   Diagnostic.getMessage() + ": " + Diagnostic.getLineContents());
  M->setDataLayout((*JIT)->getDataLayout());
  M->setTargetTriple((*JIT)->getTargetTriple());
  if (How == Maker::Pipeline) {
    if (std::string Messages = differentiate(*M); !Messages.empty())
      return failure(Messages);
  } else {
    for (const Case &C : Cases)
      addDirectDerivatives(*M, C);
  }
  if (Print)
    M->print(outs(), nullptr);
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(*M, &BrokenStream))
    return failure("derivative code is invalid: " + Broken);
  if (Error E = (*JIT)->addIRModule(ThreadSafeModule(std::move(M), std::move(Context))))
    return E;
  return Program(std::move(*JIT));
}

Expected<Primal> Program::primal(StringRef Name) {
  auto Address = JIT->lookup(Name);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<Primal>();
}

Expected<Derivative> Program::derivative(StringRef Name) {
  auto Address = JIT->lookup(Name);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<Derivative>();
}

} // namespace rulecheck
