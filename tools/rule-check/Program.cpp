//===- Program.cpp - The code of one operation, ready to run ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "SpecialFunctions.h"
#include "isozyme/Driver/Differentiate.h"
#include "llvm/ADT/STLExtras.h"
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
template <typename T> T asinPi(T X) { return std::asin(X) / std::numbers::pi_v<T>; }
template <typename T> T acosPi(T X) { return std::acos(X) / std::numbers::pi_v<T>; }
template <typename T> T atanPi(T X) { return std::atan(X) / std::numbers::pi_v<T>; }
template <typename T> T atan2Pi(T Y, T X) { return std::atan2(Y, X) / std::numbers::pi_v<T>; }
template <typename T> T exp2m1(T X) { return std::expm1(X * std::numbers::ln2_v<T>); }
template <typename T> T exp10m1(T X) { return std::expm1(X * std::numbers::ln10_v<T>); }
template <typename T> T log2p1(T X) { return std::log1p(X) * std::numbers::log2e_v<T>; }
template <typename T> T log10p1(T X) { return std::log1p(X) * std::numbers::log10e_v<T>; }
template <typename T> T rsqrt(T X) { return 1 / std::sqrt(X); }
template <typename T> T pown(T X, long long N) { return std::pow(X, static_cast<T>(N)); }
template <typename T> T rootn(T X, long long N) { return std::pow(X, 1 / static_cast<T>(N)); }
template <typename T> T compoundn(T X, long long N) { return std::pow(1 + X, static_cast<T>(N)); }
// And some of CUDA, and others.
template <typename T> T rcbrt(T X) { return 1 / std::cbrt(X); }
template <typename T> T rhypot(T X, T Y) { return 1 / std::hypot(X, Y); }
template <typename T> T erfcx(T X) { return std::exp(X * X) * std::erfc(X); }
template <typename T> T normcdf(T X) { return std::erfc(-X / std::numbers::sqrt2_v<T>) / 2; }
/// By its series, for small numbers.
template <typename T> T erfi(T X) {
  T Sum = 0, Term = 2 * std::numbers::inv_sqrtpi_v<T> * X;
  for (int K = 0; K < 40; Term *= X * X / ++K)
    Sum += Term / (2 * K + 1);
  return Sum;
}
/// By Newton's method.
template <typename T> T erfInv(T X) {
  T Y = 0;
  for (int Step = 0; Step < 50; ++Step)
    Y -= (std::erf(Y) - X) / (2 * std::numbers::inv_sqrtpi_v<T> * std::exp(-Y * Y));
  return Y;
}
template <typename T> T erfcInv(T X) { return erfInv(1 - X); }
template <typename T> T normcdfInv(T X) { return std::numbers::sqrt2_v<T> * erfInv(2 * X - 1); }
template <typename T> T sinc(T X) { return X == 0 ? 1 : std::sin(X) / X; }
template <typename T> T sincn(T X) { return sinc(std::numbers::pi_v<T> * X); }

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
// Their types do not matter here.
void __mulsc3();
void __muldc3();
void __mulxc3();
void __divsc3();
void __divdc3();
void __divxc3();
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
#define OWN_FUNCTION(NAME, FUNCTION)                                                               \
  {NAME, addressOf(FUNCTION<double>)}, {NAME "f", addressOf(FUNCTION<float>)},                     \
      {NAME "l", addressOf(FUNCTION<long double>)}
      OWN_FUNCTION("sinpi", sinPi),
      OWN_FUNCTION("cospi", cosPi),
      OWN_FUNCTION("tanpi", tanPi),
      OWN_FUNCTION("asinpi", asinPi),
      OWN_FUNCTION("acospi", acosPi),
      OWN_FUNCTION("atanpi", atanPi),
      OWN_FUNCTION("atan2pi", atan2Pi),
      OWN_FUNCTION("exp2m1", exp2m1),
      OWN_FUNCTION("exp10m1", exp10m1),
      OWN_FUNCTION("log2p1", log2p1),
      OWN_FUNCTION("log10p1", log10p1),
      OWN_FUNCTION("rsqrt", rsqrt),
      OWN_FUNCTION("pown", pown),
      OWN_FUNCTION("rootn", rootn),
      OWN_FUNCTION("compoundn", compoundn),
      OWN_FUNCTION("rcbrt", rcbrt),
      OWN_FUNCTION("rhypot", rhypot),
      OWN_FUNCTION("erfcx", erfcx),
      OWN_FUNCTION("erfi", erfi),
      OWN_FUNCTION("erfinv", erfInv),
      OWN_FUNCTION("erfcinv", erfcInv),
      OWN_FUNCTION("normcdf", normcdf),
      OWN_FUNCTION("normcdfinv", normcdfInv),
      OWN_FUNCTION("gsl_sf_bessel_j0", sinc),
      OWN_FUNCTION("sincn", sincn),
      OWN_FUNCTION("dawson", dawson),
      OWN_FUNCTION("xlogy", xlogy),
      OWN_FUNCTION("xlog1py", xlog1py),
      OWN_FUNCTION("__saturate", saturate),
      OWN_FUNCTION("jl_rem2pi", rem2pi),
      OWN_FUNCTION("digamma", digamma),
      OWN_FUNCTION("gsl_sf_expint_E1", expintE1),
      OWN_FUNCTION("gsl_sf_expint_Ei", expintEi),
      OWN_FUNCTION("gsl_sf_lambert_W0", lambertW0),
      OWN_FUNCTION("gsl_sf_bessel_K0", besselK0),
      OWN_FUNCTION("gsl_sf_bessel_K1", besselK1),
      OWN_FUNCTION("Faddeeva_w_im", faddeevaWIm),
      OWN_FUNCTION("norm3d", norm3d),
      OWN_FUNCTION("rnorm3d", rnorm3d),
      OWN_FUNCTION("cephes_igam", incompleteGammaP),
      OWN_FUNCTION("cephes_igamc", incompleteGammaQ),
      OWN_FUNCTION("cephes_incbet", incompleteBeta),
      OWN_FUNCTION("cyl_bessel_i0", besselI0),
      OWN_FUNCTION("cyl_bessel_i1", besselI1),
      OWN_FUNCTION("besselj", besselJ),
      OWN_FUNCTION("bessely", besselY),
      OWN_FUNCTION("besseli", besselI),
      OWN_FUNCTION("besselk", besselK),
      OWN_FUNCTION("Faddeeva_w", faddeevaWC),
      OWN_FUNCTION("Faddeeva_erf", faddeevaErfC),
      OWN_FUNCTION("Faddeeva_erfc", faddeevaErfcC),
      OWN_FUNCTION("Faddeeva_erfcx", faddeevaErfcxC),
      OWN_FUNCTION("Faddeeva_erfi", faddeevaErfiC),
      OWN_FUNCTION("Faddeeva_Dawson", faddeevaDawsonC),
      OWN_FUNCTION("cmplx_inv", inverseC),
      OWN_FUNCTION("cmplx_jn", complexJnC),
      OWN_FUNCTION("cmplx_yn", complexYnC),
#undef OWN_FUNCTION
  };
  return Symbols;
}

/// See above: what code for half, powi and complex numbers calls.
ArrayRef<OwnSymbol> compilerSymbols() {
#if defined(__x86_64__)
  static const OwnSymbol Symbols[] = {
      {"__extendhfsf2", addressOf(__extendhfsf2)}, {"__truncsfhf2", addressOf(__truncsfhf2)},
      {"__truncdfhf2", addressOf(__truncdfhf2)},   {"__truncxfhf2", addressOf(__truncxfhf2)},
      {"__powisf2", addressOf(__powisf2)},         {"__powidf2", addressOf(__powidf2)},
      {"__powixf2", addressOf(__powixf2)},         {"__mulsc3", addressOf(__mulsc3)},
      {"__muldc3", addressOf(__muldc3)},           {"__mulxc3", addressOf(__mulxc3)},
      {"__divsc3", addressOf(__divsc3)},           {"__divdc3", addressOf(__divdc3)},
      {"__divxc3", addressOf(__divxc3)},
  };
  return Symbols;
#else
  return {};
#endif
}

Error defineOwnSymbols(LLJIT &JIT) {
  SymbolMap Map;
  for (const OwnSymbol &S : concat<const OwnSymbol>(ownSymbols(), compilerSymbols()))
    Map[JIT.mangleAndIntern(S.Name)] = {ExecutorAddr::fromPtr(S.Address),
                                        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return JIT.getMainJITDylib().define(absoluteSymbols(std::move(Map)));
}

/// What code for bfloat calls, where the compiler's library is too old to have it. Rounds
/// to nearest, ties to even; a double rounds twice, which no tolerance here notices.
constexpr StringLiteral BFloatSupport = R"(
define linkonce_odr hidden bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %upper = lshr i32 %bits, 16
  %odd = and i32 %upper, 1
  %bias = add i32 %odd, 32767
  %rounded = add i32 %bits, %bias
  %shifted = lshr i32 %rounded, 16
  %half = trunc i32 %shifted to i16
  %y = bitcast i16 %half to bfloat
  ret bfloat %y
}
define linkonce_odr hidden bfloat @__truncdfbf2(double %x) {
  %f = fptrunc double %x to float
  %y = call bfloat @__truncsfbf2(float %f)
  ret bfloat %y
}
)";

std::string moduleText(isozyme::Op Id, ArrayRef<Case> Cases, Maker How) {
  std::string Text = referenceIR(Id, hasSymbol);
  StringSet<> Declared;
  if (any_of(Cases, [](const Case &C) { return C.In == NumberType::BFloat; }))
    Text += BFloatSupport;
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
  for (const OwnSymbol &S : concat<const OwnSymbol>(ownSymbols(), compilerSymbols()))
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
