//===- TerminalPage.cpp - A report for terminals --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source with its line numbers. Between its lines stand, indented like them, what
// the line becomes in the derivative and what is kept for it; a mark in front of the
// line number says at a glance what kind of line it is:
//
//   |    4 K|    double e = exp(x[i] * x[i]);
//   |       |      reverse: x.shadow[i] += e.adj * e * x[i] + e.adj * e * x[i]
//   |       |      kept: e, 8 * n bytes (expensive to compute again)
//
//===----------------------------------------------------------------------===//
#include "isozyme/Explain/Renderers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace llvm;

namespace isozyme {

namespace {
using Colors = raw_ostream::Colors;

class TerminalPage {
public:
  explicit TerminalPage(raw_ostream &OS) : OS(OS), InColor(OS.has_colors() && OS.is_displayed()) {}
  void write(const Report &R);

private:
  void paint(StringRef Text, Colors Color, bool Bold = false);
  void dim(StringRef Text);
  void heading(StringRef Text) { paint(Text, Colors::SAVEDCOLOR, /*Bold=*/true); }
  void note(StringRef Indent, StringRef Label, StringRef Text, Colors Color);
  void write(const ExplainedDerivative &D);
  void writeHead(const ExplainedDerivative &D);
  void writeLoopsAndTape(const ExplainedDerivative &D);
  void write(const ExplainedBlock &B, bool IsMain);
  void write(const ExplainedLine &Line, const ExplainedDerivative &D);
  void write(const ExplainedMessage &M, StringRef Indent);

  raw_ostream &OS;
  bool InColor;
  const ExplainedDerivative *Now = nullptr;
};
} // namespace

void TerminalPage::paint(StringRef Text, Colors Color, bool Bold) {
  if (InColor)
    OS.changeColor(Color, Bold);
  OS << Text;
  if (InColor)
    OS.resetColor();
}

void TerminalPage::dim(StringRef Text) { paint(Text, Colors::BRIGHT_BLACK); }

void TerminalPage::note(StringRef Indent, StringRef Label, StringRef Text, Colors Color) {
  dim("        | ");
  OS << Indent << "  ";
  paint(Label, Color, /*Bold=*/true);
  OS << (Label.empty() ? "" : " ") << Text << '\n';
}

void TerminalPage::write(const ExplainedMessage &M, StringRef Indent) {
  Colors Color = M.Severity == "error" ? Colors::RED
                 : M.Severity == "warning" ? Colors::YELLOW
                                           : Colors::CYAN;
  note(Indent, M.Severity + ":", M.Text, Color);
}

/// One letter per line, the most important.
static char markOf(const ExplainedLine &Line) {
  for (const ExplainedMessage &M : Line.Messages)
    if (M.Severity == "error")
      return '!';
  for (const ExplainedValue &V : Line.Values)
    if (V.How == Had::Kept)
      return 'K';
  return Line.Kind == LineKind::Active     ? 'a'
         : Line.Kind == LineKind::Inactive ? '.'
                                           : ' ';
}

void TerminalPage::write(const ExplainedLine &Line, const ExplainedDerivative &D) {
  char Mark = markOf(Line);
  std::string Number;
  raw_string_ostream(Number) << format("%5u ", Line.Number);
  dim(Line.Number ? Number : "      ");
  Colors Color = Mark == '!' ? Colors::RED : Mark == 'K' ? Colors::YELLOW : Colors::GREEN;
  if (Mark == 'K' || Mark == 'a' || Mark == '!')
    paint(StringRef(&Mark, 1), Color, /*Bold=*/true);
  else
    OS << Mark;
  dim(" | ");
  if (Line.Kind == LineKind::Active || Line.Source.empty())
    OS << Line.Source << '\n';
  else
    dim(Line.Source + "\n");
  StringRef Indent = StringRef(Line.Source).take_while([](char C) { return isSpace(C); });
  for (const ExplainedMessage &M : Line.Messages)
    write(M, Indent);
  for (const ExplainedLoop &L : D.Loops)
    if (L.Where.Line == Line.Number && Line.Number && L.Where.File == Now->Blocks.front().File)
      note(Indent, "loop:", loopSentence(L), Colors::BLUE);
  for (const std::string &Statement : Line.Derivative)
    note(Indent, D.Mode == "forward" ? "forward:" : "reverse:", Statement, Colors::GREEN);
  for (const ExplainedValue &V : Line.Values)
    if (V.How == Had::Kept)
      note(Indent, "kept:", V.Name + (V.Which.empty() ? "" : " " + V.Which) + ", " + V.Size +
                                " (" + V.Reason + ")", Colors::YELLOW);
  for (Had How : {Had::ReadAgain, Had::ComputedAgain})
    if (std::string Names = namesHad(Line, How); !Names.empty())
      note(Indent, hadText(How).str() + ":", Names, Colors::BLUE);
  for (const ExplainedCall &C : Line.Calls)
    if (!callLabel(C.Treatment).empty())
      note(Indent, "call:", C.Callee + ": " + C.Text, Colors::MAGENTA);
  for (const std::string &Remark : Line.Remarks)
    note(Indent, "note:", Remark, Colors::CYAN);
}

void TerminalPage::write(const ExplainedBlock &B, bool IsMain) {
  OS << '\n';
  if (!IsMain)
    heading("'" + B.Function + "' of " + sys::path::filename(B.File).str() + ", inlined " +
            B.Inlined + "\n");
  for (const ExplainedLine &Line : B.Lines)
    write(Line, *Now);
}

void TerminalPage::writeHead(const ExplainedDerivative &D) {
  heading(D.Title);
  OS << "   " << D.Request << '\n';
  OS << "  " << D.AskedBy;
  if (D.Asked.Line)
    OS << ", " << sys::path::filename(D.Asked.File) << ':' << D.Asked.Line;
  OS << "\n  " << levelSentence(D.Level) << '\n';
  for (const ExplainedArgument &A : D.Arguments)
    OS << "  " << A.Name << ": " << A.Text << '\n';
  for (const std::string &Remark : D.Remarks)
    OS << "  " << Remark << '\n';
}

void TerminalPage::writeLoopsAndTape(const ExplainedDerivative &D) {
  if (D.Mode == "forward" || !D.Complete)
    return;
  OS << '\n';
  heading("Tape: ");
  OS << D.TapeTotal << " bytes; " << D.Kept << (D.Kept == 1 ? " value kept, " : " values kept, ")
     << D.ComputedAgain << " computed again, " << D.ReadAgain << " read again\n";
  std::vector<std::array<std::string, 5>> Table;
  for (const TapeRow &Row : D.Tape)
    Table.push_back({Row.What, Row.Where.Line ? "line " + std::to_string(Row.Where.Line) : "",
                     Row.Total + " bytes", Row.Shape, Row.Reason});
  std::array<size_t, 5> Widths{};
  for (const auto &Cells : Table)
    for (auto [Width, Cell] : zip(Widths, Cells))
      Width = std::max(Width, Cell.size() + 2);
  for (const auto &Cells : Table) {
    std::string Line = "  ";
    for (auto [Width, Cell] : zip(Widths, Cells))
      Line += Cell + std::string(Width - Cell.size(), ' ');
    OS << StringRef(Line).rtrim() << '\n';
  }
  for (const ShortName &Short : D.ShortNames)
    OS << "  " << Short.Name << " = " << Short.Text << '\n';
}

void TerminalPage::write(const ExplainedDerivative &D) {
  Now = &D;
  writeHead(D);
  if (!D.Complete) {
    OS << "  ";
    paint("There is no derivative", Colors::RED, /*Bold=*/true);
    OS << ": what is known up to the error\n";
  }
  for (const ExplainedMessage &M : D.Messages)
    write(M, "");
  for (const ExplainedBlock &B : D.Blocks)
    write(B, &B == &D.Blocks.front());
  writeLoopsAndTape(D);
}

void TerminalPage::write(const Report &R) {
  for (const ExplainedDerivative &D : R.Derivatives) {
    if (&D != &R.Derivatives.front())
      OS << '\n';
    write(D);
  }
  if (R.Derivatives.empty())
    OS << "nothing in " << R.File << " is differentiated; a function that is to be explained all "
       << "the same is named after a colon: " << R.File << ":function\n";
  else
    dim("\nK kept values   a active   . runs in the forward sweep only   x.adj adjoint, x.tan "
        "tangent, x.shadow memory of derivatives\n");
}

void writeTerminal(const Report &R, raw_ostream &OS) { TerminalPage(OS).write(R); }

} // namespace isozyme
