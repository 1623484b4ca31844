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
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdlib>

using namespace llvm;

namespace isozyme {

namespace {
using Colors = raw_ostream::Colors;

/// Words are put into lines of a given width.
class TerminalPage {
public:
  TerminalPage(raw_ostream &OS, unsigned Width, bool InColor)
      : OS(OS), Width(Width), InColor(InColor) {}
  void write(const Report &R);

private:
  /// What stands in front of the lines between those of the source.
  static constexpr StringLiteral Margin = "        | ";
  void paint(StringRef Text, Colors Color, bool Bold = false);
  void dim(StringRef Text);
  void heading(StringRef Text) { paint(Text, Colors::SAVEDCOLOR, /*Bold=*/true); }
  std::vector<StringRef> wrapped(StringRef Text, size_t First, size_t Next) const;
  void paragraph(StringRef Indent, StringRef Text);
  void note(StringRef Indent, StringRef Label, StringRef Text, Colors Color, bool IsCode = false);
  void code(StringRef Text);
  void write(const ExplainedDerivative &D);
  void writeHead(const ExplainedDerivative &D);
  void writeLoopsAndTape(const ExplainedDerivative &D);
  void write(const ExplainedBlock &B, bool IsMain);
  void writeSource(const ExplainedLine &Line);
  void write(const ExplainedLine &Line, const ExplainedDerivative &D);
  void writeCalls(const ExplainedLine &Line, StringRef Indent);
  void write(const ExplainedMessage &M, StringRef Indent);
  void writeLegend();

  raw_ostream &OS;
  unsigned Width;
  bool InColor;
  const ExplainedDerivative *Now = nullptr;
};
} // namespace

void TerminalPage::paint(StringRef Text, Colors Color, bool Bold) {
  // The page decides, not the stream: colours go where the text goes.
  if (InColor)
    OS << (Color == Colors::SAVEDCOLOR ? "\033[1m"
                                       : sys::Process::OutputColor(char(Color), Bold, false));
  OS << Text;
  if (InColor)
    OS << sys::Process::ResetColor();
}

void TerminalPage::dim(StringRef Text) {
  if (InColor)
    OS << "\033[90m" << Text << sys::Process::ResetColor();
  else
    OS << Text;
}

/// Pieces of \p Text, cut at spaces: \p First columns are taken before the first of them,
/// \p Next before the others.
std::vector<StringRef> TerminalPage::wrapped(StringRef Text, size_t First, size_t Next) const {
  static constexpr size_t Least = 20; // In a window that narrow nothing helps.
  std::vector<StringRef> Lines;
  size_t Room = std::max<size_t>(Width > First ? Width - First : 0, Least);
  while (Width && Text.size() > Room) {
    size_t At = Text.rfind(' ', Room + 1);
    if (At == StringRef::npos || Text.take_front(At).trim().empty())
      At = Text.find(' ', Room);
    if (At == StringRef::npos)
      break;
    Lines.push_back(Text.take_front(At).rtrim());
    Text = Text.drop_front(At).ltrim();
    Room = std::max<size_t>(Width > Next ? Width - Next : 0, Least);
  }
  Lines.push_back(Text);
  return Lines;
}

void TerminalPage::paragraph(StringRef Indent, StringRef Text) {
  for (auto [Number, Piece] : enumerate(wrapped(Text, Indent.size(), Indent.size() + 2)))
    OS << Indent << (Number ? "  " : "") << Piece << '\n';
}

void TerminalPage::note(StringRef Indent, StringRef Label, StringRef Text, Colors Color,
                        bool IsCode) {
  size_t First = Margin.size() + Indent.size() + 2 + Label.size() + !Label.empty();
  size_t Next = Margin.size() + Indent.size() + 6;
  for (auto [Number, Piece] : enumerate(wrapped(Text, First, Next))) {
    dim(Margin);
    OS << Indent << "  ";
    if (Number)
      OS << "    ";
    else if (!Label.empty())
      paint(Label, Color, /*Bold=*/true);
    OS << (Number || Label.empty() ? "" : " ");
    if (IsCode)
      code(Piece);
    else
      OS << Piece;
    OS << '\n';
  }
}

/// A statement: what is a derivative in it stands out, and a comment stands back.
void TerminalPage::code(StringRef Text) {
  auto [Statement, Comment] = InColor ? Text.split("// ") : std::pair(Text, StringRef());
  auto isWord = [](char C) { return isAlnum(C) || C == '_' || C == '.'; };
  while (InColor && !Statement.empty()) {
    StringRef Word = Statement.take_while(isWord);
    if (Word.ends_with(".adj") || Word.ends_with(".tan") || Word.contains(".shadow") ||
        Word == "seed")
      paint(Word, Colors::GREEN);
    else
      OS << (Word.empty() ? Statement.take_front() : Word);
    Statement = Statement.drop_front(std::max<size_t>(Word.size(), 1));
  }
  OS << Statement;
  if (!Comment.empty())
    dim(("// " + Comment).str());
}

void TerminalPage::write(const ExplainedMessage &M, StringRef Indent) {
  Colors Color = M.Severity == "error"     ? Colors::RED
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
  return Line.Kind == LineKind::Active ? 'a' : Line.Kind == LineKind::Inactive ? '.' : ' ';
}

/// A line of the source, after its number and its mark.
void TerminalPage::writeSource(const ExplainedLine &Line) {
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
  StringRef Indent = StringRef(Line.Source).take_while([](char C) { return isSpace(C); });
  size_t Next = Margin.size() + Indent.size() + 4;
  for (auto [N, Piece] : enumerate(wrapped(Line.Source, Margin.size(), Next))) {
    if (N) {
      OS << '\n';
      dim(Margin);
      OS << Indent << "    ";
    }
    if (Line.Kind == LineKind::Active)
      paint(Piece, Colors::SAVEDCOLOR, /*Bold=*/true);
    else
      OS << Piece;
  }
  OS << '\n';
}

/// Inlined functions share a line.
void TerminalPage::writeCalls(const ExplainedLine &Line, StringRef Indent) {
  std::string Inlined;
  for (const ExplainedCall &C : Line.Calls)
    if (C.Treatment == "inlined")
      Inlined += (Inlined.empty() ? "" : ", ") + C.Callee;
  if (!Inlined.empty())
    note(Indent, "call:", Inlined + ": " + callLabel("inlined").str(), Colors::MAGENTA);
  for (const ExplainedCall &C : Line.Calls)
    if (C.Treatment != "inlined" && !callLabel(C.Treatment).empty())
      note(Indent, "call:", C.Callee + ": " + C.Text, Colors::MAGENTA);
}

void TerminalPage::write(const ExplainedLine &Line, const ExplainedDerivative &D) {
  writeSource(Line);
  StringRef Indent = StringRef(Line.Source).take_while([](char C) { return isSpace(C); });
  for (const ExplainedMessage &M : Line.Messages)
    write(M, Indent);
  for (const std::string &Loop : Line.Loops)
    note(Indent, "loop:", Loop, Colors::BLUE);
  for (const std::string &Meaning : Line.Where)
    note(Indent, "where:", Meaning, Colors::CYAN, true);
  for (const std::string &Statement : Line.Derivative)
    note(Indent, D.Mode == "forward" ? "forward:" : "reverse:", Statement, Colors::GREEN, true);
  for (const KeptGroup &Kept : keptGroups(Line))
    note(Indent, "kept:", Kept.Names + ", " + Kept.Size + " (" + Kept.Reason + ")", Colors::YELLOW);
  for (Had How : {Had::ReadAgain, Had::ComputedAgain})
    if (std::string Names = namesHad(Line, How); !Names.empty())
      note(Indent, hadText(How).str() + ":", Names, Colors::BLUE);
  writeCalls(Line, Indent);
  for (const std::string &Remark : Line.Remarks)
    note(Indent, "note:", Remark, Colors::CYAN);
}

void TerminalPage::write(const ExplainedBlock &B, bool IsMain) {
  OS << '\n';
  if (!IsMain)
    heading(inQuotes(B.Function) + " of " + sys::path::filename(B.File).str() + ", inlined in " +
            inlinedText(B) + "\n");
  for (const ExplainedLine &Line : B.Lines)
    write(Line, *Now);
}

void TerminalPage::writeHead(const ExplainedDerivative &D) {
  heading(D.Title);
  OS << '\n';
  paragraph("  ", askedText(D));
  paragraph("  ", levelSentence(D.Level));
  for (const ExplainedArgument &A : D.Arguments)
    paragraph("  ", A.Name + ": " + A.Text);
  for (const std::string &Remark : D.Remarks)
    paragraph("  ", Remark);
}

/// A row of the tape; of a table that is too wide, the reason stands below.
static std::vector<std::string> rowOf(const TapeRow &Row) {
  return {Row.What, Row.Where.Line ? "line " + std::to_string(Row.Where.Line) : "",
          inBytes(Row.Total), Row.Shape, Row.Reason};
}

void TerminalPage::writeLoopsAndTape(const ExplainedDerivative &D) {
  if (D.Mode == "forward" || !D.Complete)
    return;
  OS << '\n';
  paragraph("", "Tape: " + inBytes(D.TapeTotal) + "; " + std::to_string(D.Kept) +
                    (D.Kept == 1 ? " value kept, " : " values kept, ") +
                    std::to_string(D.ComputedAgain) + " computed again, " +
                    std::to_string(D.ReadAgain) + " read again");
  std::array<size_t, 4> Widths{};
  for (const TapeRow &Row : D.Tape)
    for (auto [Widest, Cell] : zip_first(Widths, rowOf(Row)))
      Widest = std::max(Widest, Cell.size() + 2);
  size_t All = 2 + Widths[0] + Widths[1] + Widths[2] + Widths[3];
  bool IsWide =
      Width && any_of(D.Tape, [&](const TapeRow &Row) { return All + Row.Reason.size() > Width; });
  for (const TapeRow &Row : D.Tape) {
    std::vector<std::string> Cells = rowOf(Row);
    if (IsWide) {
      std::string Line = Cells[0] + (Cells[1].empty() ? "" : ", " + Cells[1]) + ": " + Cells[2];
      for (StringRef More : {StringRef(Cells[3]), StringRef(Cells[4])})
        Line += More.empty() ? "" : ", " + More.str();
      paragraph("  ", Line);
      continue;
    }
    std::string Line = "  ";
    for (auto [Widest, Cell] : zip_first(Widths, Cells))
      Line += Cell + std::string(Widest - Cell.size(), ' ');
    OS << StringRef(Line + Cells[4]).rtrim() << '\n';
  }
  for (const ShortName &Short : D.ShortNames)
    paragraph("  ", Short.Name + " = " + Short.Text);
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
    writeLegend();
}

void TerminalPage::writeLegend() {
  std::string Text =
      "K kept values   a active   . runs in the forward sweep only   x.adj adjoint   "
      "x.tan tangent   x.shadow memory of derivatives";
  OS << '\n';
  for (StringRef Piece : wrapped(Text, 0, 0))
    dim((Piece + "\n").str());
}

unsigned widthOfOutput(const raw_ostream &OS) {
  unsigned Width;
  if (const char *Wanted = std::getenv("COLUMNS");
      Wanted && !StringRef(Wanted).getAsInteger(10, Width))
    return Width;
  static constexpr unsigned Usual = 100;
  unsigned Columns = &OS == &outs() ? sys::Process::StandardOutColumns() : 0;
  return Columns ? Columns : Usual;
}

bool showsColors(raw_ostream &OS) {
  const char *Unwanted = std::getenv("NO_COLOR");
  return OS.is_displayed() && OS.has_colors() && !(Unwanted && *Unwanted);
}

void writeTerminal(const Report &R, raw_ostream &OS, unsigned Width, bool InColor) {
  TerminalPage(OS, Width, InColor).write(R);
}

} // namespace isozyme
