//===- RuleTablePrinter.cpp - The rule table for people -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes rows in columns: all of them by sections, or those of one function, which may be
// named in any way that derivatives know it by (sinf, llvm.sin, __nv_sin).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/SincosCalls.h"
#include "isozyme/Rules/RulePrinter.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {

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

/// Where a cell is wider than its column, the others follow in the next line, in theirs.
void printCells(ArrayRef<StringRef> Cells, raw_ostream &OS) {
  static constexpr size_t Starts[] = {0, 26, 31, 79, 87};
  size_t At = 0;
  for (auto [Cell, Start] : zip_equal(Cells, Starts)) {
    if (Cell.empty())
      continue;
    if (At && At >= Start) {
      OS << '\n';
      At = 0;
    }
    OS.indent(Start - At) << Cell;
    At = Start + Cell.size();
  }
  OS << '\n';
}

void printRow(const Rule &R, raw_ostream &OS) {
  const OpInfo &Info = opInfo(R.Id);
  std::string First = namesOf(Info);
  std::string Kinks = R.Kinks;
  if (R.Jumps)
    Kinks += Kinks.empty() ? "jumps count as smooth" : "; jumps count as smooth";
  for (unsigned I = 0, N = numOperands(Info.Sig); I < N; ++I) {
    std::string Derivative, Reads;
    raw_string_ostream DS(Derivative), RS(Reads);
    if (R.Partials[I].isNone())
      DS << "none";
    else
      printExpr(R.Partials[I], DS);
    printReads(readsOf(R.Partials[I]), RS);
    std::string Operand = I ? "x" + std::to_string(I) : "x";
    printCells({First, Operand, Derivative, Reads, Kinks}, OS);
    First.clear();
    Kinks.clear();
  }
}

struct Section {
  StringRef Title;
  ArrayRef<Rule> (*Rules)();
};

constexpr Section Sections[] = {
    {"arithmetic, choice, scaling", arithmeticRules},
    {"elementary functions", elementaryRules},
    {"special functions", specialRules},
    {"functions of complex numbers (in complex arithmetic)", complexRules},
};

bool hasZeroDerivative(Op Id) { return opInfo(Id).K == OpInfo::ZeroFunction; }

/// The operation that code knows by this name. Op::None: none.
Op opByName(StringRef Name) {
  if (std::optional<MathName> Known = parseMathName(Name))
    return Known->Id;
  if (std::optional<MathName> Known = parseComplexName(Name))
    return Known->Id;
  for (unsigned I = 0; I < NumOps; ++I) {
    Op Id = static_cast<Op>(I);
    if (opInfo(Id).Name == Name || any_of(intrinsicsOf(Id), [&](Intrinsic::ID Intrinsic) {
          return Intrinsic::getBaseName(Intrinsic) == Name;
        }))
      return Id;
  }
  return Op::None;
}

bool hasRow(Op Id) {
  return hasZeroDerivative(Id) || any_of(Sections, [&](const Section &S) {
           return any_of(S.Rules(), [&](const Rule &R) { return R.Id == Id; });
         });
}

} // namespace

void printRuleHeader(raw_ostream &OS) {
  OS << "T: incoming derivative; x, x1, x2: operands; y: result. Each libm name also stands for\n"
        "its float and long double forms, __name_finite, __nv_name and __ocml_name.\n\n";
  printCells({"operation", "by", "derivative", "reads", "where there is none"}, OS);
}

void printRuleTable(raw_ostream &OS) {
  printRuleHeader(OS);
  OS << '\n';
  for (const Section &S : Sections) {
    OS << '\n' << S.Title << '\n';
    for (const Rule &R : S.Rules())
      printRow(R, OS);
  }
  OS << "\nderivative zero everywhere\n";
  for (unsigned I = 0; I < NumOps; ++I)
    if (hasZeroDerivative(static_cast<Op>(I)))
      OS << namesOf(opInfo(static_cast<Op>(I))) << '\n';
}

bool printRulesOf(StringRef Name, raw_ostream &OS) {
  // Two functions by one call, also that of LLVM.
  StringRef Base = Name;
  Base.consume_front("llvm.");
  if (std::optional<SincosCall> Both = parseSincosName(Base))
    return printRulesOf(opInfo(Both->Sine).Name, OS) && printRulesOf(opInfo(Both->Cosine).Name, OS);
  Op Id = opByName(Name);
  // llvm.modf, llvm.frexp: one result of two is in the table.
  if (Id == Op::None)
    Id = opByName(Base);
  if (Id == Op::None || !hasRow(Id))
    return false;
  for (const Section &S : Sections)
    for (const Rule &R : S.Rules())
      if (R.Id == Id)
        printRow(R, OS);
  if (hasZeroDerivative(Id))
    printCells({namesOf(opInfo(Id)), "", "zero everywhere", "", ""}, OS);
  return true;
}

StringRef nearestRule(StringRef Name) {
  StringRef Nearest;
  unsigned Best = std::min<unsigned>(3, Name.size() / 2 + 1);
  for (unsigned I = 0; I < NumOps; ++I) {
    StringRef Known = opInfo(static_cast<Op>(I)).Name;
    if (!hasRow(static_cast<Op>(I)))
      continue;
    if (unsigned Distance = Known.edit_distance(Name, true, Best); Distance < Best) {
      Best = Distance;
      Nearest = Known;
    }
  }
  return Nearest;
}

} // namespace isozyme
