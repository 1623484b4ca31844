//===- Cases.cpp - What is checked, as IR ----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cases.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme;

namespace rulecheck {

namespace {

/// The value of a rule in IR text.
struct OperationText {
  Op Id;
  std::string Spelling;
  std::string In, InScalar, Out; ///< Types.
  unsigned Elements;
  int Half = -1; ///< See Case.
};

bool writesPointer(Signature S) { return S == Signature::F_FP || S == Signature::F_FFP; }

/// No derivative by it is known: it must not come from memory with a shadow.
bool isUnknownOperand(Op Id, unsigned I) {
  const Rule *R = ruleOf(Id);
  return R && isUnknown(R->Partials[I]);
}

/// The C type of the integer operand, or that of llvm.ldexp on a vector.
std::string integerType(const OperationText &O) {
  if (O.Id == Op::Scalbln || O.Id == Op::PowN || O.Id == Op::RootN || O.Id == Op::CompoundN)
    return "i64"; // long, long long
  if (O.Id == Op::Ldexp && O.Elements > 1)
    return "<" + utostr(O.Elements) + " x i32>";
  return "i32";
}

/// The type a parameter is declared with.
std::string parameterType(const OperationText &O, unsigned I) {
  const Signature Sig = opInfo(O.Id).Sig;
  if (Sig == Signature::F_FL && I == 1)
    return wideIRType().str();
  return isIntOperand(Sig, I) ? integerType(O) : O.In;
}

/// 0.25 as IR writes it.
StringRef quarterIn(StringRef Type) {
  return Type == "x86_fp80" ? "K3FFD8000000000000000" : "3FD0000000000000";
}

std::string loadOperands(const OperationText &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  const Signature Sig = opInfo(O.Id).Sig;
  unsigned Slot = 0;
  for (unsigned I = 0, N = numOperands(Sig); I < N; ++I) {
    if (isUnknownOperand(O.Id, I)) {
      OS << formatv("  %f{0} = sitofp i64 %n to {1}\n  %x{0} = fadd {1} %f{0}, 0x{2}\n", I, O.In,
                    quarterIn(O.In));
      continue;
    }
    if (!isIntOperand(Sig, I)) {
      OS << formatv("  %p{0} = getelementptr i8, ptr %in, i64 {1}\n", I, OperandStride * Slot++);
      const std::string Type = parameterType(O, I);
      OS << formatv("  %{2}{0} = load {1}, ptr %p{0}\n", I, O.In, Type == O.In ? "x" : "narrow");
      if (Type != O.In)
        OS << formatv("  %x{0} = fpext {1} %narrow{0} to {2}\n", I, O.In, Type);
      continue;
    }
    const std::string Type = integerType(O);
    if (Type == "i64")
      OS << formatv("  %x{0} = add i64 %n, 0\n", I);
    else if (Type == "i32")
      OS << formatv("  %x{0} = trunc i64 %n to i32\n", I);
    else
      OS << "  %n32 = trunc i64 %n to i32\n"
         << formatv("  %e0 = insertelement {0} poison, i32 %n32, i32 0\n", Type)
         << formatv("  %x{0} = shufflevector {1} %e0, {1} poison, {1} zeroinitializer\n", I, Type);
  }
  return Text;
}

/// { double, i32 } of llvm.frexp, { double, double } of the others.
std::string pairType(const OperationText &O) {
  std::string Second = O.In;
  if (O.Id == Op::Frexp)
    Second = O.Elements > 1 ? "<" + utostr(O.Elements) + " x i32>" : "i32";
  return "{ " + O.In + ", " + Second + " }";
}

std::string operationText(const OperationText &O) {
  if (O.Half >= 0)
    return formatv("  %pair = call {0} @{1}({2} %x0)\n  %y = extractvalue {0} %pair, {3}\n",
                   pairType(O), O.Spelling, O.In, O.Half);
  std::string Text;
  raw_string_ostream OS(Text);
  const OpInfo &Info = opInfo(O.Id);
  OS << "  %y = ";
  if (Info.K == OpInfo::Arithmetic) {
    OS << O.Spelling << ' ' << O.In << " %x0";
    if (numOperands(Info.Sig) > 1)
      OS << ", %x1";
    else if (O.In != O.Out)
      OS << " to " << O.Out;
    OS << '\n';
    return Text;
  }
  OS << "call " << O.Out << " @" << O.Spelling << '(';
  ListSeparator LS;
  for (unsigned I = 0, N = numOperands(Info.Sig); I < N; ++I)
    OS << LS << parameterType(O, I) << " %x" << I;
  if (writesPointer(Info.Sig))
    OS << LS << "ptr %t";
  OS << ")\n";
  return Text;
}

/// The library function of a complex operation, as C names it.
std::string complexName(Op Id, NumberType T) {
  const bool IsFloat = T == NumberType::ComplexFloat, IsDouble = T == NumberType::ComplexDouble;
  StringRef Base = opName(Id);
  if (Base.consume_back("c3"))
    return (Base + (IsFloat ? "s" : IsDouble ? "d" : "x") + "c3").str();
  return (Base + (IsFloat ? "f" : IsDouble ? "" : "l")).str();
}

/// What C calls complex numbers with on this host: two scalars, a vector, or memory. The
/// compiler's own functions always take scalars.
struct ComplexForm {
  std::string Operand, Result, Declared;
  explicit ComplexForm(const OperationText &O) {
    const bool IsOwn = opName(O.Id).starts_with("__");
    const std::string Pair = "{ " + O.InScalar + ", " + O.InScalar + " }";
    Result = Pair;
#if defined(__x86_64__)
    if (O.InScalar == "float")
      Result = "<2 x float>";
    if (O.InScalar == "float" && !IsOwn)
      Operand = "<2 x float>";
    if (O.InScalar == "x86_fp80" && !IsOwn)
      Operand = "ptr byval(" + Pair + ") align 16";
#endif
    Declared = Operand.empty() ? O.InScalar + ", " + O.InScalar : Operand;
  }
};

std::string complexOperand(const OperationText &O, const ComplexForm &Form, unsigned I) {
  if (Form.Operand.empty())
    return formatv("{0} %r{1}, {0} %i{1}", O.InScalar, I);
  return formatv("{0} %x{1}", Form.Operand, I);
}

/// Loads the parts, calls the library in its form, and stores the parts.
std::string complexFunctionText(StringRef Name, const OperationText &O, unsigned Stride) {
  const ComplexForm Form(O);
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "define void @" << Name << "(ptr noalias %in, ptr noalias %out, i64 %n) {\n";
  const Signature Sig = opInfo(O.Id).Sig;
  std::string Operands;
  if (Sig == Signature::C_IC) {
    OS << "  %n32 = trunc i64 %n to i32\n";
    Operands = "i32 %n32, ";
  }
  for (unsigned I = 0, N = numComplexOperands(Sig); I < N; ++I) {
    OS << formatv("  %p{0} = getelementptr i8, ptr %in, i64 {1}\n", I, OperandStride * I)
       << formatv("  %q{0} = getelementptr i8, ptr %p{0}, i64 {1}\n", I, Stride)
       << formatv("  %r{0} = load {1}, ptr %p{0}\n  %i{0} = load {1}, ptr %q{0}\n", I, O.InScalar);
    if (StringRef(Form.Operand).starts_with("ptr"))
      OS << formatv("  %x{0} = alloca [2 x {1}]\n  %y{0} = getelementptr i8, ptr %x{0}, i64 {2}\n",
                    I, O.InScalar, Stride)
         << formatv("  store {1} %r{0}, ptr %x{0}\n  store {1} %i{0}, ptr %y{0}\n", I, O.InScalar);
    else if (!Form.Operand.empty())
      OS << formatv("  %v{0} = insertelement {1} poison, {2} %r{0}, i32 0\n", I, Form.Operand,
                    O.InScalar)
         << formatv("  %x{0} = insertelement {1} %v{0}, {2} %i{0}, i32 1\n", I, Form.Operand,
                    O.InScalar);
    Operands += (I ? ", " : "") + complexOperand(O, Form, I);
  }
  if (Sig == Signature::C_CF)
    Operands += ", " + O.InScalar + " 0x" +
                (O.InScalar == "x86_fp80" ? "K00000000000000000000" : "0000000000000000");
  OS << "  %y = call " << Form.Result << " @" << O.Spelling << '(' << Operands << ")\n";
  for (unsigned I = 0; I < 2; ++I) {
    if (StringRef(Form.Result).starts_with("<"))
      OS << formatv("  %s{0} = extractelement {1} %y, i32 {0}\n", I, Form.Result);
    else
      OS << formatv("  %s{0} = extractvalue {1} %y, {0}\n", I, Form.Result);
    OS << formatv("  %o{0} = getelementptr i8, ptr %out, i64 {1}\n", I, I * Stride)
       << formatv("  store {1} %s{0}, ptr %o{0}\n", I, O.InScalar);
  }
  OS << "  ret void\n}\n";
  return Text;
}

std::string complexDeclaration(const OperationText &O) {
  const ComplexForm Form(O);
  const Signature Sig = opInfo(O.Id).Sig;
  std::string Text = "declare " + Form.Result + " @" + O.Spelling + "(" +
                     (Sig == Signature::C_IC ? "i32, " : "") + Form.Declared;
  if (numComplexOperands(Sig) > 1)
    Text += ", " + Form.Declared;
  if (Sig == Signature::C_CF)
    Text += ", " + O.InScalar;
  return Text + ")\n";
}

std::string functionText(StringRef Name, const OperationText &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "define void @" << Name << "(ptr noalias %in, ptr noalias %out, i64 %n) {\n";
  if (writesPointer(opInfo(O.Id).Sig) && O.Half < 0)
    OS << "  %t = alloca " << (O.Id == Op::Modf ? O.In : "i32") << '\n';
  OS << loadOperands(O) << operationText(O) << "  store " << O.Out
     << " %y, ptr %out\n  ret void\n}\n";
  return Text;
}

std::string declarationText(const OperationText &O) {
  const OpInfo &Info = opInfo(O.Id);
  if (Info.K == OpInfo::Arithmetic)
    return {};
  if (isComplexOp(O.Id))
    return complexDeclaration(O);
  if (O.Half >= 0)
    return "declare " + pairType(O) + " @" + O.Spelling + "(" + O.In + ")\n";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "declare " << O.Out << " @" << O.Spelling << '(';
  ListSeparator LS;
  for (unsigned I = 0, N = numOperands(Info.Sig); I < N; ++I)
    OS << LS << parameterType(O, I);
  if (writesPointer(Info.Sig))
    OS << LS << "ptr";
  OS << ")\n";
  return Text;
}

OperationText operationOf(const Case &C) {
  const NumberInfo &In = numberInfo(C.In), &Out = numberInfo(C.Out);
  return {C.Id, C.Spelling, In.IR.str(), In.Scalar.str(), Out.IR.str(), In.Elements, C.Half};
}

StringRef librarySuffix(NumberType T) {
  return T == NumberType::Float ? "f" : T == NumberType::Extended ? "l" : "";
}

std::string libraryName(Op Id, StringRef Suffix) {
  StringRef Base = opName(Id);
  const bool Reentrant = Base.consume_back("_r");
  return (Base + Suffix + (Reentrant ? "_r" : "")).str();
}

std::string intrinsicName(Op Id, Intrinsic::ID Intr, StringRef Mangled, unsigned Elements) {
  std::string Name = (Intrinsic::getBaseName(Intr) + "." + Mangled).str();
  if (Id == Op::Powi)
    return Name + ".i32";
  if (Id == Op::Ldexp)
    return Name + (Elements > 1 ? ".v" + utostr(Elements) + "i32" : ".i32");
  return Name;
}

/// The intrinsic that gives an operation as one of its two results.
struct PairedIntrinsic {
  Op Id;
  StringLiteral Name;
  int Half;
};
constexpr PairedIntrinsic PairedIntrinsics[] = {{Op::Sin, "llvm.sincos", 0},
                                                {Op::Cos, "llvm.sincos", 1},
                                                {Op::Modf, "llvm.modf", 0},
                                                {Op::Frexp, "llvm.frexp", 0}};

std::string pairedName(const PairedIntrinsic &P, const NumberInfo &Number) {
  std::string Name = (P.Name + "." + Number.Mangled).str();
  if (P.Id == Op::Frexp)
    Name += Number.Elements > 1 ? ".v" + utostr(Number.Elements) + "i32" : ".i32";
  return Name;
}

/// The type a cast makes of another; the same type for all other operations.
NumberType resultType(Op Id, NumberType In) {
  if (Id == Op::FPExt)
    switch (In) {
    case NumberType::Half:
    case NumberType::BFloat:
      return NumberType::Float;
    case NumberType::Float:
      return NumberType::Double;
    case NumberType::Float4:
      return NumberType::Double4;
    default:
      return hasExtended() ? NumberType::Extended : In;
    }
  if (Id == Op::FPTrunc)
    switch (In) {
    case NumberType::Float4:
      return NumberType::Half4;
    case NumberType::Extended:
      return NumberType::Double;
    case NumberType::Double:
      return NumberType::Float;
    case NumberType::BFloat: // No type is narrower.
      return In;
    default:
      return NumberType::Half;
    }
  return In;
}

/// LLVM 22 makes no code for these intrinsics on x86.
bool cannotCompile(Op Id, NumberType T) {
  if (T == NumberType::Extended)
    return Id == Op::FMinimum || Id == Op::FMaximum || Id == Op::Canonicalize;
  return T == NumberType::Half && Id == Op::Modf;
}

/// Operations that change nothing, whose reference is the operand itself.
bool isIdentity(Op Id) {
  return Id == Op::FPExt || Id == Op::FPTrunc || Id == Op::Canonicalize ||
         Id == Op::ArithmeticFence;
}

} // namespace

std::string Case::label() const {
  std::string Label = opInfo(Id).Id.str() + " as " + Spelling + " on " + numberInfo(In).IR.str();
  return In == Out ? Label : Label + " to " + numberInfo(Out).IR.str();
}

std::vector<Case> casesOf(Op Id, function_ref<bool(StringRef)> HasSymbol, bool WithPairs) {
  std::vector<Case> Cases;
  const OpInfo &Info = opInfo(Id);
  auto Add = [&](std::string Spelling, NumberType In) {
    Cases.push_back({Id, Spelling, In, resultType(Id, In), unsigned(Cases.size())});
  };
  if (isComplexOp(Id)) {
    for (NumberType T :
         {NumberType::ComplexFloat, NumberType::ComplexDouble, NumberType::ComplexExtended})
      if (std::string Name = complexName(Id, T);
          (T != NumberType::ComplexExtended || hasExtended()) && HasSymbol(Name))
        Add(Name, T);
    return Cases;
  }
  SmallVector<NumberType, 6> Types = {NumberType::Half, NumberType::BFloat, NumberType::Float,
                                      NumberType::Double};
  if (hasExtended())
    Types.push_back(NumberType::Extended);
  Types.push_back(NumberType::Float4);

  for (NumberType T : Types) {
    if (Info.K == OpInfo::Arithmetic) {
      // No type is wider than the widest, or narrower than half.
      const bool Degenerate = (Id == Op::FPExt || Id == Op::FPTrunc) && resultType(Id, T) == T;
      if (!Degenerate)
        Add(Info.Name.str(), T);
      continue;
    }
    const NumberInfo &Number = numberInfo(T);
    for (Intrinsic::ID Intr : intrinsicsOf(Id))
      if (!cannotCompile(Id, T))
        Add(intrinsicName(Id, Intr, Number.Mangled, Number.Elements), T);
    for (const PairedIntrinsic &P : PairedIntrinsics)
      if (WithPairs && P.Id == Id && !cannotCompile(Id, T)) {
        Add(pairedName(P, Number), T);
        Cases.back().Half = P.Half;
      }
    if (T == NumberType::Half || T == NumberType::BFloat || Number.Elements > 1)
      continue;
    if (std::string Name = libraryName(Id, librarySuffix(T)); HasSymbol(Name))
      Add(Name, T);
  }
  return Cases;
}

std::vector<int> integersFor(Op Id) {
  switch (Id) {
  case Op::Powi:
  case Op::PowN:
  case Op::CompoundN:
    return {-2, 0, 1, 3};
  case Op::RootN:
    return {-2, 1, 3};
  case Op::Ldexp:
  case Op::Scalbn:
  case Op::Scalbln:
    return {-2, 3};
  case Op::Jn:
  case Op::Yn:
  case Op::CJn:
  case Op::CYn:
  case Op::BesselJ:
  case Op::BesselY:
  case Op::BesselI:
  case Op::BesselK:
  case Op::IncompleteGammaP:
  case Op::IncompleteGammaQ:
  case Op::IncompleteBeta:
    return {0, 1, 3};
  default:
    return {0};
  }
}

std::vector<TestDomain> domainsFor(Op Id) {
  const TestDomain Usual = opInfo(Id).Domain;
  switch (Id) {
  case Op::TGamma:
  case Op::LGamma:
  case Op::LGammaR:
  case Op::Psi:
    // Digamma by reflection, and by its series alone.
    return {Usual, {-2.7, -2.3, 0, 0}, {-0.7, -0.3, 0, 0}, {0.25, 0.5, 0, 0}, {11, 12, 0, 0}};
  case Op::Atan2:
    return {Usual, {-3, -0.4, -3, -0.4}, {0.4, 3, -3, -0.4}};
  case Op::FRem:
  case Op::FMod:
    return {Usual, {-5.9, -5.1, 1.6, 1.65}, {5.1, 5.9, -1.65, -1.6}};
  case Op::Pow:
    return {Usual, {0.3, 2.5, -2, -0.5}};
  default:
    return {Usual};
  }
}

std::vector<unsigned> floatOperands(Op Id) {
  std::vector<unsigned> Floats;
  const Signature Sig = opInfo(Id).Sig;
  for (unsigned I = 0, N = numOperands(Sig); I < N; ++I)
    if (!isIntOperand(Sig, I) && !isUnknownOperand(Id, I))
      Floats.push_back(I);
  return Floats;
}

std::string primalIR(const Case &C) {
  OperationText O = operationOf(C);
  if (isComplexOp(C.Id))
    return complexFunctionText(C.name("f"), O, numberInfo(C.In).Stride);
  return functionText(C.name("f"), O);
}

std::string declarationIR(const Case &C) { return declarationText(operationOf(C)); }

std::string referenceIR(Op Id, function_ref<bool(StringRef)> HasSymbol) {
  const std::string Type = wideIRType().str();
  if (isIdentity(Id))
    return "define void @ref(ptr noalias %in, ptr noalias %out, i64 %n) {\n  %x = load " + Type +
           ", ptr %in\n  store " + Type + " %x, ptr %out\n  ret void\n}\n";
  OperationText O{Id, opName(Id).str(), Type, Type, Type, 1};
  if (isComplexOp(Id)) {
    O.Spelling =
        complexName(Id, Type == "double" ? NumberType::ComplexDouble : NumberType::ComplexExtended);
    return HasSymbol(O.Spelling) ? declarationText(O) + complexFunctionText("ref", O, sizeof(Wide))
                                 : std::string();
  }
  if (opInfo(Id).K == OpInfo::Arithmetic)
    return functionText("ref", O);
  O.Spelling = libraryName(Id, Type == "double" ? "" : "l");
  if (!HasSymbol(O.Spelling)) {
    SmallVector<Intrinsic::ID, 2> Intrinsics = intrinsicsOf(Id);
    if (Intrinsics.empty())
      return {};
    StringRef Mangled = Type == "x86_fp80" ? "f80" : Type == "fp128" ? "f128" : "f64";
    O.Spelling = intrinsicName(Id, Intrinsics.front(), Mangled, 1);
  }
  return declarationText(O) + functionText("ref", O);
}

std::string requestsIR(const Case &C) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (StringRef Mode : {"fwd", "rev"})
    for (unsigned Width : {1u, MaxLanes}) {
      std::string Name = C.name(Width == 1 ? Mode.str() : Mode.str() + utostr(Width));
      OS << "define void @" << Name << "(ptr %in, ptr %din, ptr %out, ptr %dout, i64 %n) {\n";
      std::string In = "metadata !\"enzyme_dup\", ptr %in";
      std::string Out = "metadata !\"enzyme_dup\", ptr %out";
      for (unsigned L = 0; L < Width; ++L) {
        OS << formatv("  %din{0} = getelementptr i8, ptr %din, i64 {1}\n", L, LaneStride * L)
           << formatv("  %dout{0} = getelementptr i8, ptr %dout, i64 {1}\n", L, LaneStride * L);
        In += ", ptr %din" + utostr(L);
        Out += ", ptr %dout" + utostr(L);
      }
      OS << "  call void (...) @__enzyme_" << (Mode == "fwd" ? "fwddiff" : "autodiff") << "(ptr @"
         << C.name("f") << ", ";
      if (Width > 1)
        OS << "metadata !\"enzyme_width\", i64 " << Width << ", ";
      OS << In << ", " << Out << ", metadata !\"enzyme_const\", i64 %n)\n  ret void\n}\n";
    }
  return Text;
}

} // namespace rulecheck
