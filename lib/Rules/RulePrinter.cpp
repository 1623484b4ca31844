//===- RulePrinter.cpp - Expressions of rules as text ---------------------===//
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
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace isozyme {

namespace {

int bindingOf(const Node &N) {
  switch (N.K) {
  case NodeKind::Or:
    return BindsOr;
  case NodeKind::Less:
  case NodeKind::Equal:
  case NodeKind::NotEqual:
    return BindsComparison;
  case NodeKind::Add:
  case NodeKind::Sub:
  case NodeKind::Offset:
    return BindsSum;
  case NodeKind::Mul:
  case NodeKind::Div:
    return BindsProduct;
  case NodeKind::Neg:
    return BindsSign;
  default:
    return BindsCall;
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

/// Null: as the table of rules writes them.
using LeafNames = function_ref<std::string(const Node &, int)>;

class ExprPrinter {
public:
  ExprPrinter(const Expr &E, const LeafNames *Names, raw_ostream &OS)
      : E(E), Names(Names), OS(OS) {}
  void print(unsigned I, int Context);

private:
  void printCall(const Node &N, StringRef Name);
  void printChoice(const Node &N, int Context);
  void printConstant(const Node &N);
  void printLeaf(const Node &N, int Context);
  std::optional<double> number(unsigned I);

  const Expr &E;
  const LeafNames *Names;
  raw_ostream &OS;
};

void ExprPrinter::printCall(const Node &N, StringRef Name) {
  OS << Name << '(';
  print(N.A, 0);
  if (N.NumChildren > 1) {
    OS << ", ";
    print(N.B, 0);
  }
  if (N.NumChildren > 2) {
    OS << ", ";
    print(N.C, 0);
  }
  OS << ')';
}

/// What is known without the operands, where they are numbers: 3 - 1, 3 == 0.
std::optional<double> ExprPrinter::number(unsigned I) {
  const Node &N = E.Nodes[I];
  if (N.K == NodeKind::Const || !Names)
    return N.K == NodeKind::Const ? std::optional<double>(N.Value) : std::nullopt;
  double Value;
  if (N.K == NodeKind::Arg)
    return to_float((*Names)(N, BindsChoice), Value) ? std::optional<double>(Value) : std::nullopt;
  if (N.K == NodeKind::Convert || N.K == NodeKind::ToFloat)
    return number(N.A);
  bool IsKnown = N.K == NodeKind::Add || N.K == NodeKind::Sub || N.K == NodeKind::Equal ||
                 N.K == NodeKind::NotEqual || N.K == NodeKind::Less;
  std::optional<double> A = IsKnown ? number(N.A) : std::nullopt;
  std::optional<double> B = A ? number(N.B) : std::nullopt;
  if (!B)
    return std::nullopt;
  return N.K == NodeKind::Add     ? *A + *B
         : N.K == NodeKind::Sub   ? *A - *B
         : N.K == NodeKind::Equal ? double(*A == *B)
         : N.K == NodeKind::Less  ? double(*A < *B)
                                  : double(*A != *B);
}

/// c ? a : b
void ExprPrinter::printChoice(const Node &N, int Context) {
  if (std::optional<double> Known = number(N.A))
    return print(*Known ? N.B : N.C, Context);
  OS << (Context > BindsChoice ? "(" : "");
  print(N.A, BindsCall); // A condition stands in parentheses: few know how tightly ?: binds.
  OS << " ? ";
  print(N.B, BindsOr);
  OS << " : ";
  print(N.C, BindsOr);
  OS << (Context > BindsChoice ? ")" : "");
}

void ExprPrinter::printConstant(const Node &N) {
  if (N.Imaginary)
    OS << "i * ";
  if (N.Digits)
    OS << StringRef(N.Digits).take_front(8);
  else
    OS << format("%g", N.Value);
}

void ExprPrinter::printLeaf(const Node &N, int Context) {
  if (Names) {
    OS << (*Names)(N, Context);
    return;
  }
  OS << (N.K == NodeKind::T ? 'T' : N.K == NodeKind::Arg ? 'x' : 'y');
  if (N.K == NodeKind::Arg && N.Value != 0)
    OS << unsigned(N.Value);
}

void ExprPrinter::print(unsigned I, int Context) {
  const Node &N = E.Nodes[I];
  const int Binding = bindingOf(N);
  if (Names && N.K == NodeKind::Select) // Puts its parentheses itself.
    return printChoice(N, Context);
  if (std::optional<double> Known = Names && N.NumChildren == 2 ? number(I) : std::nullopt) {
    OS << format("%g", *Known);
    return;
  }
  const bool Parens = Binding < Context;
  if (Parens)
    OS << '(';
  switch (N.K) {
  case NodeKind::T:
  case NodeKind::Arg:
  case NodeKind::Result:
    printLeaf(N, Context);
    break;
  case NodeKind::Const:
    printConstant(N);
    break;
  case NodeKind::Unknown:
    OS << "not known";
    break;
  case NodeKind::Neg:
    OS << '-';
    print(N.A, Binding);
    break;
  case NodeKind::Offset:
    print(N.A, Binding);
    OS << (N.Value < 0 ? " - " : " + ") << unsigned(N.Value < 0 ? -N.Value : N.Value);
    break;
  case NodeKind::Select:
    printCall(N, "select");
    break;
  case NodeKind::Call:
    printCall(N, N.Fn == Op::Digamma    ? "digamma"
                 : N.Fn == Op::Trigamma ? "trigamma"
                                        : opName(N.Fn));
    break;
  case NodeKind::ToFloat:
  case NodeKind::Convert:
    // C converts by itself.
    if (Names)
      print(N.A, Context);
    else
      printCall(N, N.K == NodeKind::ToFloat ? "float" : "convert");
    break;
  default:
    print(N.A, Binding);
    OS << spelling(N.K);
    // A right operand of the same strength needs parentheses: a - (b - c).
    print(N.B, Binding + 1);
    break;
  }
  if (Parens)
    OS << ')';
}

} // namespace

void printExpr(const Expr &E, raw_ostream &OS) {
  ExprPrinter(E, nullptr, OS).print(E.Size - 1, BindsChoice);
}

std::string exprText(const Expr &E, LeafNames NameOf, int Surrounding) {
  std::string Text;
  raw_string_ostream OS(Text);
  ExprPrinter(E, &NameOf, OS).print(E.Size - 1, Surrounding);
  return Text;
}

int bindingOf(const Expr &E) {
  return E.root().K == NodeKind::Select ? int(BindsChoice) : bindingOf(E.root());
}

} // namespace isozyme
