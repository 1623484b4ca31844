//===- ReportJson.cpp - A report for programs -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of Report under their names, empty ones left out.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Explain/Renderers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme {

StringRef hadText(Had How) {
  switch (How) {
  case Had::NotNeeded:
    return "not needed";
  case Had::AtHand:
    return "at hand";
  case Had::ComputedAgain:
    return "computed again";
  case Had::ReadAgain:
    return "read again";
  case Had::Kept:
    return "kept";
  }
  llvm_unreachable("complete switch");
}

StringRef callLabel(StringRef Treatment) {
  return StringSwitch<StringRef>(Treatment)
      .Case("inactive", "runs once")
      .Case("bulk memory", "moves the shadow, too")
      .Case("allocate", "with a shadow")
      .Case("free", "released later")
      .Case("differentiate", "own derivative")
      .Case("stop", "ends the program")
      .Case("inlined", "inlined, see below")
      .Default("");
}

std::vector<KeptGroup> keptGroups(const ExplainedLine &Line) {
  struct Alike {
    const ExplainedValue *First;
    std::vector<std::string> Names;
  };
  std::vector<Alike> All;
  for (const ExplainedValue &V : Line.Values) {
    if (V.How != Had::Kept)
      continue;
    auto Same = find_if(All, [&](const Alike &A) {
      return A.First->Which == V.Which && A.First->Size == V.Size && A.First->Reason == V.Reason;
    });
    if (Same == All.end())
      Same = All.insert(Same, {&V, {}});
    Same->Names.push_back(V.Name);
  }
  std::vector<KeptGroup> Groups;
  for (const Alike &A : All)
    Groups.push_back({join(A.Names, ", ") + (A.First->Which.empty() ? "" : " " + A.First->Which),
                      A.First->Size + (A.Names.size() > 1 ? " each" : ""), A.First->Reason});
  return Groups;
}

/// Short ones: long expressions are counted.
std::string namesHad(const ExplainedLine &Line, Had How) {
  static constexpr size_t Long = 16;
  std::string Names;
  unsigned Others = 0;
  for (const ExplainedValue &V : Line.Values) {
    if (V.How != How)
      continue;
    if (V.Name.size() > Long && StringRef(V.Name).contains(' '))
      ++Others;
    else
      Names += (Names.empty() ? "" : ", ") + V.Name;
  }
  if (Others)
    Names += (Names.empty() ? "" : " and ") + std::to_string(Others) +
             (Others == 1 ? " value" : " values") + " without a name";
  return Names;
}

std::string levelSentence(StringRef Level) {
  if (Level == "-O0")
    return "Compiled with -O0; what is differentiated is a copy, optimised as -O2 does";
  if (Level.starts_with("-"))
    return ("Compiled with " + Level + ", and differentiated after its optimisations").str();
  return "Differentiated as it was given to opt";
}

static std::string timesText(unsigned Count) {
  return Count == 1 ? "" : Count == 2 ? " (twice)" : " (" + std::to_string(Count) + " times)";
}

std::string inlinedText(const ExplainedBlock &B) {
  MapVector<StringRef, unsigned> Places;
  auto add = [&](StringRef Inlined) {
    Inlined.consume_front("in ");
    ++Places[Inlined];
  };
  add(B.Inlined);
  llvm::for_each(B.Copies, add);
  std::string Text;
  for (auto [Number, Place] : enumerate(Places))
    Text += (Number == 0                   ? ""
             : Number + 1 == Places.size() ? " and "
                                           : ", ") +
            Place.first.str() + timesText(Place.second);
  return Text;
}

std::string askedText(const ExplainedDerivative &D) {
  if (!D.Asked.Line)
    return D.AskedBy;
  return D.AskedBy + ", " + sys::path::filename(D.Asked.File).str() + ":" +
         std::to_string(D.Asked.Line);
}

std::string inBytes(const std::string &Size) { return Size + (Size == "1" ? " byte" : " bytes"); }

std::string loopSentence(const ExplainedLoop &L) {
  std::string Counter = L.HasVariable ? L.Counter + ", " : "";
  return Counter +
         (L.KnownBefore ? L.Count == "1"   ? "once"
                          : L.Count == "2" ? "twice"
                                           : L.Count + " times"
                        : std::string("how many times is known only afterwards")) +
         (L.IsFused ? ", in the reverse sweep only" : "");
}

static StringRef kindText(LineKind Kind) {
  switch (Kind) {
  case LineKind::Empty:
    return "empty";
  case LineKind::Inactive:
    return "inactive";
  case LineKind::Active:
    return "active";
  }
  llvm_unreachable("complete switch");
}

namespace {
class JsonWriter {
public:
  explicit JsonWriter(raw_ostream &OS) : J(OS, /*IndentSize=*/2) {}
  void write(const Report &R);

private:
  /// Bytes that are not UTF-8 (a source in another encoding) are replaced.
  void text(StringRef Name, StringRef Value) {
    if (!Value.empty())
      J.attribute(Name, json::isUTF8(Value) ? Value.str() : json::fixUTF8(Value));
  }
  template <typename T, typename Each>
  void list(StringRef Name, const std::vector<T> &Values, Each Write) {
    if (!Values.empty())
      J.attributeArray(Name, [&] {
        for (const T &Value : Values)
          Write(Value);
      });
  }
  void texts(StringRef Name, const std::vector<std::string> &Values) {
    list(Name, Values, [&](const std::string &Value) {
      J.value(json::isUTF8(Value) ? Value : json::fixUTF8(Value));
    });
  }
  void place(StringRef Name, const SourceLine &Where) {
    if (Where.Line)
      J.attributeObject(Name, [&] {
        text("file", Where.File);
        J.attribute("line", Where.Line);
      });
  }
  void messages(const std::vector<ExplainedMessage> &Messages);
  void write(const ExplainedValue &V);
  void write(const ExplainedLine &Line);
  void write(const TapeRow &Row);
  void write(const ExplainedDerivative &D);

  json::OStream J;
};
} // namespace

void JsonWriter::messages(const std::vector<ExplainedMessage> &Messages) {
  list("messages", Messages, [&](const ExplainedMessage &M) {
    J.object([&] {
      text("severity", M.Severity);
      text("id", M.Id);
      text("text", M.Text);
      place("where", M.Where);
    });
  });
}

void JsonWriter::write(const ExplainedValue &V) {
  J.object([&] {
    text("name", V.Name);
    text("which", V.Which);
    text("type", V.Type);
    J.attribute("active", V.Active);
    text("why", V.Why);
    texts("causes", V.Causes);
    text("reverse", hadText(V.How));
    text("reason", V.Reason);
    text("size", V.Size);
    if (V.Slot >= 0)
      J.attribute("slot", V.Slot);
  });
}

void JsonWriter::write(const ExplainedLine &Line) {
  J.object([&] {
    J.attribute("line", Line.Number);
    text("source", Line.Source);
    text("kind", kindText(Line.Kind));
    text("whyInactive", Line.WhyInactive);
    list("values", Line.Values, [&](const ExplainedValue &V) { write(V); });
    list("calls", Line.Calls, [&](const ExplainedCall &C) {
      J.object([&] {
        text("callee", C.Callee);
        text("treatment", C.Treatment);
        text("text", C.Text);
      });
    });
    texts("remarks", Line.Remarks);
    texts("loops", Line.Loops);
    texts("where", Line.Where);
    texts("derivative", Line.Derivative);
    texts("code", Line.Code);
    messages(Line.Messages);
  });
}

void JsonWriter::write(const TapeRow &Row) {
  J.object([&] {
    J.attribute("slot", Row.Slot);
    text("what", Row.What);
    place("where", Row.Where);
    J.attribute("bytes", int64_t(Row.Bytes));
    text("times", Row.Times);
    text("total", Row.Total);
    text("shape", Row.Shape);
    text("reason", Row.Reason);
  });
}

void JsonWriter::write(const ExplainedDerivative &D) {
  J.object([&] {
    text("function", D.Function);
    text("title", D.Title);
    text("request", D.Request);
    text("mode", D.Mode);
    text("level", D.Level);
    place("asked", D.Asked);
    text("askedBy", D.AskedBy);
    J.attribute("complete", D.Complete);
    list("arguments", D.Arguments, [&](const ExplainedArgument &A) {
      J.object([&] {
        text("name", A.Name);
        text("type", A.Type);
        text("activity", A.Activity);
        text("text", A.Text);
      });
    });
    list("loops", D.Loops, [&](const ExplainedLoop &L) {
      J.object([&] {
        place("where", L.Where);
        text("counter", L.Counter);
        text("count", L.Count);
        J.attribute("depth", L.Depth);
        J.attribute("knownBefore", L.KnownBefore);
        J.attribute("inReverseSweepOnly", L.IsFused);
        J.attribute("sumsInRegisters", L.IsCarrying);
      });
    });
    J.attribute("kept", D.Kept);
    J.attribute("computedAgain", D.ComputedAgain);
    J.attribute("readAgain", D.ReadAgain);
    list("tape", D.Tape, [&](const TapeRow &Row) { write(Row); });
    text("tapeTotal", D.TapeTotal);
    list("shortNames", D.ShortNames, [&](const ShortName &Short) {
      J.object([&] {
        text("name", Short.Name);
        text("text", Short.Text);
      });
    });
    texts("unknowns", D.Unknowns);
    texts("remarks", D.Remarks);
    messages(D.Messages);
    list("blocks", D.Blocks, [&](const ExplainedBlock &B) {
      J.object([&] {
        text("function", B.Function);
        text("file", B.File);
        if (!B.Inlined.empty())
          text("inlined", "in " + inlinedText(B));
        list("lines", B.Lines, [&](const ExplainedLine &Line) { write(Line); });
      });
    });
  });
}

void JsonWriter::write(const Report &R) {
  J.object([&] {
    J.attribute("version", 1);
    text("file", R.File);
    list("derivatives", R.Derivatives, [&](const ExplainedDerivative &D) { write(D); });
  });
}

void writeJson(const Report &R, raw_ostream &OS) {
  JsonWriter(OS).write(R);
  OS << '\n';
}

} // namespace isozyme
