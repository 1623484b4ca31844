//===- RulePrinter.cpp - The rule table for people -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RulePrinter.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {

/// How tightly a node binds, as in C.
int bindingOf(const Node &N) {
  switch (N.K) {
  case NodeKind::Or:
    return 1;
  case NodeKind::Less:
  case NodeKind::Equal:
  case NodeKind::NotEqual:
    return 2;
  case NodeKind::Add:
  case NodeKind::Sub:
  case NodeKind::Offset:
    return 3;
  case NodeKind::Mul:
  case NodeKind::Div:
    return 4;
  case NodeKind::Neg:
    return 5;
  default:
    return 6;
  }
}

const char *spelling(NodeKind K) {
  switch (K) {
  case NodeKind::Or:
    return " || ";
  case NodeKind::Less:
    return " < ";
  case NodeKind::Equal:
    return " == ";
  case NodeKind::NotEqual:
    return " != ";
  case NodeKind::Add:
    return " + ";
  case NodeKind::Sub:
    return " - ";
  case NodeKind::Mul:
    return " * ";
  case NodeKind::Div:
    return " / ";
  default:
    llvm_unreachable("not a binary operator");
  }
}

void printNode(const Expr &E, unsigned I, int Context, raw_ostream &OS);

void printCall(const Expr &E, const Node &N, StringRef Name, raw_ostream &OS) {
  OS << Name << '(';
  printNode(E, N.A, 0, OS);
  if (N.NumChildren > 1) {
    OS << ", ";
    printNode(E, N.B, 0, OS);
  }
  if (N.NumChildren > 2) {
    OS << ", ";
    printNode(E, N.C, 0, OS);
  }
  OS << ')';
}

void printConstant(const Node &N, raw_ostream &OS) {
  if (N.Digits)
    OS << StringRef(N.Digits).take_front(8);
  else
    OS << format("%g", N.Value);
}

void printNode(const Expr &E, unsigned I, int Context, raw_ostream &OS) {
  const Node &N = E.Nodes[I];
  const int Binding = bindingOf(N);
  const bool Parens = Binding < Context;
  if (Parens)
    OS << '(';
  switch (N.K) {
  case NodeKind::T:
    OS << 'T';
    break;
  case NodeKind::Arg:
    OS << 'x';
    if (N.Value != 0)
      OS << unsigned(N.Value);
    break;
  case NodeKind::Result:
    OS << 'y';
    break;
  case NodeKind::Const:
    printConstant(N, OS);
    break;
  case NodeKind::Neg:
    OS << '-';
    printNode(E, N.A, Binding, OS);
    break;
  case NodeKind::Offset:
    printNode(E, N.A, Binding, OS);
    OS << (N.Value < 0 ? " - " : " + ") << unsigned(N.Value < 0 ? -N.Value : N.Value);
    break;
  case NodeKind::Select:
    printCall(E, N, "select", OS);
    break;
  case NodeKind::Call:
    printCall(E, N, N.Fn == Op::Digamma ? "digamma" : opName(N.Fn), OS);
    break;
  case NodeKind::ToFloat:
    printCall(E, N, "float", OS);
    break;
  case NodeKind::Convert:
    printCall(E, N, "convert", OS);
    break;
  default:
    printNode(E, N.A, Binding, OS);
    OS << spelling(N.K);
    // A right operand of the same strength needs parentheses: a - (b - c).
    printNode(E, N.B, Binding + 1, OS);
    break;
  }
  if (Parens)
    OS << ')';
}

void printReads(unsigned Reads, raw_ostream &OS) {
  ListSeparator LS(" ");
  for (unsigned I = 0; I < 3; ++I)
    if (Reads & (1u << I))
      OS << LS << 'x' << (I ? std::to_string(I) : "");
  if (Reads & ResultBit)
    OS << LS << 'y';
}

/// "cos, llvm.cos", or "fmul" for an instruction.
std::string namesOf(const OpInfo &Info) {
  std::string Names = Info.Name.str();
  if (Info.Intrinsic == Intrinsic::not_intrinsic || Info.Name.starts_with("llvm."))
    return Names;
  return Names + ", " + Intrinsic::getBaseName(Info.Intrinsic).str();
}

void printRow(const Rule &R, raw_ostream &OS) {
  const OpInfo &Info = opInfo(R.Id);
  std::string First = namesOf(Info);
  const char *Kinks = R.Kinks;
  for (unsigned I = 0, N = numOperands(Info.Sig); I < N; ++I) {
    std::string Derivative, Reads;
    raw_string_ostream DS(Derivative), RS(Reads);
    if (R.Partials[I].isNone())
      DS << "none";
    else
      printExpr(R.Partials[I], DS);
    printReads(readsOf(R.Partials[I]), RS);
    std::string Operand = I ? "x" + std::to_string(I) : "x";
    std::string Line = formatv("{0,-28} {1,-4} {2,-52} {3,-8} {4}", First, Operand, Derivative,
                               Reads, Kinks);
    OS << StringRef(Line).rtrim() << '\n';
    First.clear();
    Kinks = "";
  }
}

void printSection(StringRef Title, ArrayRef<Rule> Rules, raw_ostream &OS) {
  OS << '\n' << Title << '\n';
  for (const Rule &R : Rules)
    printRow(R, OS);
}

} // namespace

void printExpr(const Expr &E, raw_ostream &OS) { printNode(E, E.Size - 1, 0, OS); }

void printRuleTable(raw_ostream &OS) {
  OS << "T: incoming derivative; x, x1, x2: operands; y: result. Each libm name also stands for\n"
        "its float and long double forms, __name_finite, __nv_name and __ocml_name.\n\n"
     << formatv("{0,-28} {1,-4} {2,-52} {3,-8} {4}\n", "operation", "by", "derivative", "reads",
                "where there is none");
  printSection("arithmetic, choice, scaling", arithmeticRules(), OS);
  printSection("elementary functions", elementaryRules(), OS);
  printSection("special functions", specialRules(), OS);
  printSection("functions of complex numbers (in complex arithmetic)", complexRules(), OS);
  OS << "\nderivative zero everywhere\n";
  for (unsigned I = 0; I < NumOps; ++I)
    if (const OpInfo &Info = opInfo(static_cast<Op>(I)); Info.K == OpInfo::ZeroFunction)
      OS << namesOf(Info) << '\n';
}

} // namespace isozyme
