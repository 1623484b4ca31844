//===- HtmlPage.cpp - A report for browsers -------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file without a reference to anything outside. Source and derivative stand beside
// each other, line by line; what else is known of a line is in a <template> that the
// script shows when the line is pointed at. Without scripts the page still reads.
//
//===----------------------------------------------------------------------===//
#include "PageAssets.h"
#include "isozyme/Explain/Renderers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

/// For text and for attributes in double quotes.
static std::string escaped(StringRef Text) {
  std::string Valid = json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
  std::string Out;
  for (char C : Valid) {
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\t':
      Out += "    ";
      break;
    default:
      if (static_cast<unsigned char>(C) >= 0x20)
        Out += C;
    }
  }
  return Out;
}

namespace {
class HtmlPage {
public:
  explicit HtmlPage(raw_ostream &OS) : OS(OS) {}
  void write(const Report &R);

private:
  void writeNavigation(const Report &R);
  void write(const ExplainedDerivative &D, unsigned Number);
  void writeHead(const ExplainedDerivative &D);
  void writeLegend(const ExplainedDerivative &D);
  void write(const ExplainedBlock &B, const std::string &Id);
  void writeLine(const ExplainedLine &Line, const std::string &Id);
  void writeStatement(StringRef Statement);
  void writeSource(const ExplainedLine &Line);
  void writeChips(const ExplainedLine &Line);
  void writeDetails(const ExplainedLine &Line, const std::string &Id);
  void writeValue(const ExplainedValue &V);
  void writeValues(const ExplainedLine &Line);
  void writeMessages(const std::vector<ExplainedMessage> &Messages);
  void writeLoops(const ExplainedDerivative &D);
  void writeTape(const ExplainedDerivative &D);
  std::string sectionOf(const ExplainedCall &C, const ExplainedLine &From) const;
  std::string lineLink(const SourceLine &Where) const;
  /// <Tag class="Class">Text</Tag>
  void element(StringRef Tag, StringRef Class, StringRef Text);

  raw_ostream &OS;
  const Report *All = nullptr;
  const ExplainedDerivative *Now = nullptr;
  std::string NowId;
};
} // namespace

void HtmlPage::element(StringRef Tag, StringRef Class, StringRef Text) {
  OS << '<' << Tag;
  if (!Class.empty())
    OS << " class=\"" << Class << '"';
  OS << '>' << escaped(Text) << "</" << Tag << '>';
}

static std::string capitalized(std::string Sentence) {
  if (!Sentence.empty())
    Sentence[0] = toUpper(Sentence[0]);
  return Sentence;
}

static bool isKept(const ExplainedValue &V) { return V.How == Had::Kept; }

// --- Source ---

/// Enough to tell words of the language from those of the program.
static bool isKeyword(StringRef Word) {
  static const StringSet<> Words = {
      "auto",      "bool",    "break",    "case",     "char",     "class",  "const",    "constexpr",
      "continue",  "default", "delete",   "do",       "double",   "else",   "enum",     "extern",
      "false",     "float",   "for",      "goto",     "if",       "inline", "int",      "long",
      "namespace", "new",     "nullptr",  "operator", "private",  "public", "restrict", "return",
      "short",     "signed",  "sizeof",   "static",   "struct",   "switch", "template", "this",
      "true",      "typedef", "typename", "union",    "unsigned", "using",  "virtual",  "void",
      "volatile",  "while",   "size_t"};
  return Words.contains(Word);
}

static bool isWordPart(char C) { return isAlnum(C) || C == '_'; }

/// Where kept values stand in the text: [begin, end).
static std::vector<std::pair<size_t, size_t>> keptRanges(const ExplainedLine &Line) {
  std::vector<std::pair<size_t, size_t>> Ranges;
  StringRef Source = Line.Source;
  for (const ExplainedValue &V : Line.Values) {
    if (!isKept(V) || V.Name.empty())
      continue;
    for (size_t At = Source.find(V.Name); At != StringRef::npos; At = Source.find(V.Name, At + 1)) {
      size_t End = At + V.Name.size();
      bool Whole = (At == 0 || !isWordPart(Source[At - 1]) || !isWordPart(V.Name.front())) &&
                   (End == Source.size() || !isWordPart(Source[End]) || !isWordPart(V.Name.back()));
      if (Whole)
        Ranges.push_back({At, End});
    }
  }
  llvm::sort(Ranges, [](auto &A, auto &B) {
    return std::make_pair(A.first, B.second) < std::make_pair(B.first, A.second);
  });
  // Of ranges in each other the outer one.
  std::vector<std::pair<size_t, size_t>> Apart;
  for (auto &Range : Ranges)
    if (Apart.empty() || Range.first >= Apart.back().second)
      Apart.push_back(Range);
  return Apart;
}

/// One token of \p Text, and what to call it.
static std::pair<size_t, StringRef> nextToken(StringRef Text) {
  char C = Text.front();
  if (Text.starts_with("//") || C == '#')
    return {Text.size(), "com"};
  if (Text.starts_with("/*")) {
    size_t End = Text.find("*/", 2);
    return {End == StringRef::npos ? Text.size() : End + 2, "com"};
  }
  if (C == '"') {
    size_t End = 1;
    while (End < Text.size() && Text[End] != '"')
      End += Text[End] == '\\' ? 2 : 1;
    return {std::min(End + 1, Text.size()), "str"};
  }
  if (isWordPart(C)) {
    size_t End = Text.take_while([](char D) { return isWordPart(D) || D == '.'; }).size();
    if (isDigit(C))
      return {End, "num"};
    StringRef Word = Text.take_while(isWordPart);
    return {Word.size(), isKeyword(Word) ? "key" : ""};
  }
  return {1, ""};
}

void HtmlPage::writeSource(const ExplainedLine &Line) {
  auto Ranges = keptRanges(Line);
  StringRef Text = Line.Source;
  size_t At = 0, NextRange = 0;
  bool InMark = false;
  while (At < Text.size()) {
    if (NextRange < Ranges.size() && !InMark && At >= Ranges[NextRange].first) {
      OS << "<mark>";
      InMark = true;
    }
    auto [Length, Class] = nextToken(Text.substr(At));
    size_t Stop = InMark                      ? Ranges[NextRange].second
                  : NextRange < Ranges.size() ? Ranges[NextRange].first
                                              : Text.size();
    Length = std::max<size_t>(1, std::min(Length, Stop > At ? Stop - At : Length));
    if (Class.empty())
      OS << escaped(Text.substr(At, Length));
    else
      element("span", Class, Text.substr(At, Length));
    At += Length;
    if (InMark && At >= Ranges[NextRange].second) {
      OS << "</mark>";
      InMark = false;
      ++NextRange;
    }
  }
  if (InMark)
    OS << "</mark>";
}

// --- Lines ---

static bool hasError(const ExplainedLine &Line) {
  return any_of(Line.Messages, [](const ExplainedMessage &M) { return M.Severity == "error"; });
}

static std::string classesOf(const ExplainedLine &Line) {
  std::string Classes = "line";
  Classes += Line.Kind == LineKind::Active     ? " active"
             : Line.Kind == LineKind::Inactive ? " inactive"
                                               : " empty";
  if (any_of(Line.Values, isKept))
    Classes += " kept";
  if (hasError(Line))
    Classes += " error";
  return Classes;
}

static bool hasDetails(const ExplainedLine &Line) {
  return Line.Kind != LineKind::Empty || !Line.Messages.empty() || !Line.Values.empty() ||
         !Line.Derivative.empty();
}

void HtmlPage::writeChips(const ExplainedLine &Line) {
  for (const std::string &Loop : Line.Loops)
    element("span", "chip loop", Loop);
  for (const KeptGroup &Kept : keptGroups(Line))
    element("span", "chip keep", "keeps " + Kept.Names + ": " + Kept.Size);
  for (Had How : {Had::ReadAgain, Had::ComputedAgain})
    if (std::string Names = namesHad(Line, How); !Names.empty())
      element("span", "chip again", hadText(How).str() + ": " + Names);
  for (const ExplainedCall &C : Line.Calls)
    if (StringRef Label = callLabel(C.Treatment); !Label.empty())
      element("span", "chip call", C.Callee + ": " + Label.str());
  if (!Line.Remarks.empty())
    element("span", "chip note",
            Line.Remarks.size() == 1 ? "1 note" : std::to_string(Line.Remarks.size()) + " notes");
}

void HtmlPage::writeMessages(const std::vector<ExplainedMessage> &Messages) {
  for (const ExplainedMessage &M : Messages) {
    OS << "<p class=\"message " << escaped(M.Severity) << "\"><b>" << escaped(M.Severity)
       << ":</b> " << escaped(M.Text) << "</p>";
  }
}

/// A comment behind a statement stands back.
void HtmlPage::writeStatement(StringRef Statement) {
  auto [Code, Comment] = Statement.split("   // ");
  OS << "<code>" << escaped(Code);
  if (!Comment.empty())
    element("span", "com", ("   // " + Comment).str());
  OS << "</code>";
}

void HtmlPage::writeLine(const ExplainedLine &Line, const std::string &Id) {
  OS << "<div class=\"" << classesOf(Line) << "\" id=\"" << Id << '"';
  if (hasDetails(Line))
    OS << " tabindex=\"0\" role=\"button\" aria-expanded=\"false\" aria-label=\"line "
       << Line.Number << "\"";
  OS << "><span class=\"number\">" << Line.Number << "</span><div class=\"source\"><code>";
  writeSource(Line);
  OS << "</code>";
  writeChips(Line);
  writeMessages(Line.Messages);
  OS << "</div><div class=\"derivative\">";
  for (const std::string &Meaning : Line.Where)
    element("code", "where", "where " + Meaning);
  for (const std::string &Statement : Line.Derivative)
    writeStatement(Statement);
  OS << "</div></div>\n";
}

void HtmlPage::writeValue(const ExplainedValue &V) {
  OS << "<section class=\"value\"><h5><code>" << escaped(V.Name) << "</code>";
  element("span", "type", V.Which.empty() ? V.Type : V.Type + ", " + V.Which);
  if (V.How != Had::NotNeeded)
    element("span", isKept(V) ? "chip keep" : "chip",
            hadText(V.How).str() + (V.Size.empty() ? "" : ", " + V.Size) +
                (V.Reason.empty() ? "" : ": " + V.Reason));
  OS << "</h5>";
  if (V.Causes.empty()) {
    element("p", "", (V.Active ? "active: " : "") + V.Why);
  } else {
    OS << "<p>active, because</p><ol>";
    for (const std::string &Step : V.Causes)
      element("li", "", Step);
    OS << "</ol>";
  }
  OS << "</section>";
}

/// What is kept comes first, and parts of expressions last, behind a word to open.
void HtmlPage::writeValues(const ExplainedLine &Line) {
  auto isPart = [](const ExplainedValue &V) {
    return !isKept(V) && V.How != Had::ReadAgain && StringRef(V.Name).contains(' ');
  };
  for (bool Kept : {true, false})
    for (const ExplainedValue &V : Line.Values)
      if (isKept(V) == Kept && !isPart(V))
        writeValue(V);
  if (none_of(Line.Values, isPart))
    return;
  bool IsAll = all_of(Line.Values, isPart);
  OS << (IsAll ? "<details open>" : "<details>") << "<summary>Parts of expressions</summary>";
  for (const ExplainedValue &V : Line.Values)
    if (isPart(V))
      writeValue(V);
  OS << "</details>";
}

void HtmlPage::writeDetails(const ExplainedLine &Line, const std::string &Id) {
  OS << "<template data-for=\"" << Id << "\"><h4>Line " << Line.Number << "</h4>";
  if (Line.Kind == LineKind::Inactive)
    element("p", "", "Not differentiated: " + Line.WhyInactive + ".");
  writeMessages(Line.Messages);
  if (!Line.Derivative.empty()) {
    OS << "<h5>" << (Now->Mode == "forward" ? "In the forward derivative" : "In the reverse sweep")
       << "</h5><pre>";
    for (const std::string &Meaning : Line.Where)
      OS << "where " << escaped(Meaning) << '\n';
    for (const std::string &Statement : Line.Derivative)
      OS << escaped(Statement) << '\n';
    OS << "</pre>";
  }
  writeValues(Line);
  for (const ExplainedCall &C : Line.Calls) {
    OS << "<section class=\"value\"><h5><code>" << escaped(C.Callee) << "</code>";
    if (StringRef Label = callLabel(C.Treatment); !Label.empty())
      element("span", "chip call", Label);
    OS << "</h5>";
    OS << "<p>" << escaped(C.Text);
    if (std::string Id = sectionOf(C, Line); !Id.empty())
      OS << " (<a href=\"#" << Id << "\">show</a>)";
    OS << "</p></section>";
  }
  for (const std::string &Remark : Line.Remarks)
    element("p", "message note", Remark);
  if (!Line.Code.empty()) {
    OS << "<details><summary>Instructions of the derivative</summary><pre>";
    for (const std::string &Code : Line.Code)
      OS << escaped(Code) << '\n';
    OS << "</pre></details>";
  }
  OS << "</template>\n";
}

void HtmlPage::write(const ExplainedBlock &B, const std::string &Id) {
  if (!B.Inlined.empty())
    OS << "<h3 id=\"" << Id << "\"><code>" << escaped(B.Function) << "</code>, inlined in "
       << escaped(inlinedText(B)) << " <span class=\"dim\">" << escaped(sys::path::filename(B.File))
       << "</span></h3>\n";
  OS << "<div class=\"code\"><div class=\"titles\"><span "
        "class=\"number\"></span><span>Source</span>"
        "<span>"
     << (Now->Mode == "forward" ? "Tangents" : "Adjoints (run from the last line to the first)")
     << "</span></div>\n";
  for (const ExplainedLine &Line : B.Lines)
    writeLine(Line, Id + "-" + std::to_string(Line.Number));
  OS << "</div>\n";
  for (const ExplainedLine &Line : B.Lines)
    if (hasDetails(Line))
      writeDetails(Line, Id + "-" + std::to_string(Line.Number));
}

// --- Tables ---

/// Where the code of a callee is shown; "" where it is not.
std::string HtmlPage::sectionOf(const ExplainedCall &C, const ExplainedLine &From) const {
  if (C.Treatment == "inlined")
    for (auto [Number, B] : enumerate(Now->Blocks))
      if (B.Function == C.Callee &&
          any_of(B.CalledFrom, [&](const SourceLine &Call) { return Call.Line == From.Number; }))
        return NowId + "b" + std::to_string(Number);
  if (C.Treatment == "differentiate")
    for (auto [Number, D] : enumerate(All->Derivatives))
      if (D.Function == C.Callee && &D != Now)
        return "d" + std::to_string(Number);
  return "";
}

std::string HtmlPage::lineLink(const SourceLine &Where) const {
  for (auto [Number, B] : enumerate(Now->Blocks))
    if (B.File == Where.File)
      for (const ExplainedLine &Line : B.Lines)
        if (Line.Number == Where.Line && Where.Line)
          return "<a href=\"#" + NowId + "b" + std::to_string(Number) + "-" +
                 std::to_string(Where.Line) + "\">" + std::to_string(Where.Line) + "</a>";
  return Where.Line ? std::to_string(Where.Line) : "";
}

void HtmlPage::writeLoops(const ExplainedDerivative &D) {
  if (D.Loops.empty())
    return;
  OS << "<h3>Loops</h3><div class=\"scroll\"><table><thead><tr><th>Line</th><th>Counter</th>"
        "<th>Iterations</th><th>Known</th></tr></thead><tbody>\n";
  for (const ExplainedLoop &L : D.Loops) {
    OS << "<tr><td>" << lineLink(L.Where) << "</td><td><code>"
       << escaped(L.HasVariable ? L.Counter : "") << "</code></td><td><code>" << escaped(L.Count)
       << "</code></td><td>" << (L.KnownBefore ? "before the loop" : "only afterwards")
       << "</td></tr>\n";
  }
  OS << "</tbody></table></div>\n";
}

void HtmlPage::writeTape(const ExplainedDerivative &D) {
  if (D.Tape.empty())
    return;
  OS << "<h3>Tape: <code>" << escaped(D.TapeTotal) << "</code> bytes</h3>\n";
  if (!D.Unknowns.empty()) {
    OS << "<form class=\"try\"><span>How large is that for</span>";
    for (const std::string &Name : D.Unknowns)
      OS << "<label><code>" << escaped(Name)
         << "</code> = <input type=\"number\" min=\"0\" "
            "value=\"1000\" data-name=\""
         << escaped(Name) << "\"></label>";
    OS << "<output></output></form>\n";
  }
  OS << "<div class=\"scroll\"><table class=\"sortable\"><thead><tr>";
  for (StringRef Title : {"Value", "Line", "Bytes each", "Times", "Bytes", "Where", "Reason"})
    OS << "<th scope=\"col\"><button type=\"button\">" << Title << "</button></th>";
  OS << "</tr></thead><tbody>\n";
  for (const TapeRow &Row : D.Tape)
    OS << "<tr><td><code>" << escaped(Row.What) << "</code></td><td data-sort=\"" << Row.Where.Line
       << "\">" << lineLink(Row.Where) << "</td><td data-sort=\"" << Row.Bytes << "\">" << Row.Bytes
       << "</td><td><code>" << escaped(Row.Times.empty() ? "1" : Row.Times)
       << "</code></td><td data-formula=\"" << escaped(Row.Total) << "\"><code>"
       << escaped(Row.Total) << "</code></td><td>" << escaped(Row.Shape) << "</td><td>"
       << escaped(Row.Reason) << "</td></tr>\n";
  OS << "</tbody></table></div>\n";
  for (const ShortName &Short : D.ShortNames)
    OS << "<p class=\"dim\"><code>" << escaped(Short.Name) << "</code> is <code>"
       << escaped(Short.Text) << "</code></p>\n";
}

// --- The page ---

void HtmlPage::writeLegend(const ExplainedDerivative &D) {
  OS << "<ul class=\"legend\"><li class=\"active\">carries derivatives</li>";
  if (D.Mode != "forward")
    OS << "<li class=\"kept\">keeps values for the reverse sweep</li>";
  OS << "<li class=\"inactive\">runs as it stands</li>";
  if (D.Mode == "forward")
    OS << "<li class=\"word\"><code>x.tan</code> tangent</li>";
  else
    OS << "<li class=\"word\"><code>x.adj</code> adjoint</li>";
  OS << "<li class=\"word\"><code>x.shadow</code> memory of derivatives</li>"
        "<li class=\"word hint\"><span class=\"mouse\">Click</span><span "
        "class=\"touch\">Tap</span> "
        "a line to see what makes it active and what is kept for it</li></ul>\n";
}

static void writeFact(raw_ostream &OS, StringRef Number, StringRef Label) {
  OS << "<li><b>" << escaped(Number) << "</b> " << escaped(Label) << "</li>";
}

void HtmlPage::writeHead(const ExplainedDerivative &D) {
  OS << "<header><h2>" << escaped(D.Title) << "</h2>\n<p class=\"dim\">" << escaped(askedText(D))
     << ". " << escaped(levelSentence(D.Level)) << ".</p>\n";
  if (!D.Complete)
    OS << "<p class=\"message error\"><b>There is no derivative.</b> This is what is known up to "
          "the error.</p>\n";
  writeMessages(D.Messages);
  if (D.Complete && D.Mode != "forward") {
    OS << "<ul class=\"facts\">";
    writeFact(OS, D.TapeTotal, "bytes of tape");
    writeFact(OS, std::to_string(D.Kept), D.Kept == 1 ? "value kept" : "values kept");
    writeFact(OS, std::to_string(D.ComputedAgain), "computed again");
    writeFact(OS, std::to_string(D.ReadAgain), "read again");
    OS << "</ul>\n";
  }
  if (!D.Arguments.empty()) {
    OS << "<dl>";
    for (const ExplainedArgument &A : D.Arguments)
      OS << "<div><dt><code>" << escaped(A.Name) << "</code></dt><dd>" << escaped(A.Text)
         << "</dd></div>";
    OS << "</dl>\n";
  }
  for (const std::string &Remark : D.Remarks)
    element("p", "message note", capitalized(Remark));
  OS << "</header>\n";
}

void HtmlPage::write(const ExplainedDerivative &D, unsigned Number) {
  Now = &D;
  NowId = "d" + std::to_string(Number);
  OS << "<section class=\"derivation\" id=\"" << NowId << "\">\n";
  writeHead(D);
  writeLegend(D);
  OS << "<div class=\"body\"><div class=\"main\">\n";
  for (auto [BlockNumber, B] : enumerate(D.Blocks))
    write(B, NowId + "b" + std::to_string(BlockNumber));
  OS << "</div><aside aria-live=\"polite\"></aside></div>\n";
  writeTape(D);
  writeLoops(D);
  OS << "</section>\n";
}

void HtmlPage::writeNavigation(const Report &R) {
  if (R.Derivatives.size() < 2)
    return;
  OS << "<nav><ul>";
  for (auto [Number, D] : enumerate(R.Derivatives))
    OS << "<li><a href=\"#d" << Number << "\">" << escaped(D.Title) << "</a></li>";
  OS << "</ul></nav>\n";
}

void HtmlPage::write(const Report &R) {
  All = &R;
  std::string Name = sys::path::filename(R.File).str();
  OS << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        "<meta name=\"color-scheme\" content=\"light dark\"><title>"
     << escaped(Name) << " explained by Isozyme</title>\n<style>" << PageStyle
     << "</style></head>\n<body><div class=\"page\"><h1><code>" << escaped(Name)
     << "</code> <span class=\"dim\">explained by Isozyme</span></h1>\n";
  writeNavigation(R);
  for (auto [Number, D] : enumerate(R.Derivatives))
    write(D, Number);
  OS << "</div><script>" << PageScript << "</script></body></html>\n";
}

void writeHtml(const Report &R, raw_ostream &OS) { HtmlPage(OS).write(R); }

} // namespace isozyme
