//===- ShortNames.cpp - Names of values that have no short text -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShortNames.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace isozyme {

/// Applies \p Each to everything in \p Line that may speak of values.
template <typename Function> static void forTexts(ExplainedLine &Line, Function Each) {
  for (ExplainedValue &V : Line.Values) {
    Each(V.Name);
    Each(V.Size);
    Each(V.Why);
    llvm::for_each(V.Causes, Each);
  }
  llvm::for_each(Line.Loops, Each);
  llvm::for_each(Line.Where, Each);
  llvm::for_each(Line.Derivative, Each);
  llvm::for_each(Line.Remarks, Each);
  for (ExplainedCall &C : Line.Calls)
    Each(C.Callee);
}

/// And in what is said of the whole.
template <typename Function> static void forTexts(ExplainedDerivative &D, Function Each) {
  for (ExplainedLoop &L : D.Loops)
    Each(L.Count);
  for (TapeRow &Row : D.Tape) {
    Each(Row.What);
    Each(Row.Times);
    Each(Row.Total);
  }
  Each(D.TapeTotal);
  for (ShortName &Short : D.ShortNames)
    Each(Short.Text);
  llvm::for_each(D.Unknowns, Each);
  llvm::for_each(D.Remarks, Each);
}

/// The numbers of short names in \p Text.
static SmallVector<unsigned, 4> shortNamesIn(StringRef Text) {
  SmallVector<unsigned, 4> Numbers;
  for (size_t At = Text.find(SourceText::ShortPrefix); At != StringRef::npos;
       At = Text.find(SourceText::ShortPrefix, At + 1)) {
    unsigned Number;
    if (!Text.substr(At + SourceText::ShortPrefix.size()).consumeInteger(10, Number))
      Numbers.push_back(Number);
  }
  return Numbers;
}

void addMeanings(LineTable &Lines, ExplainedDerivative &D, SourceText &Words) {
  std::vector<unsigned> Open;
  DenseSet<unsigned> Told;
  auto note = [&](const std::string &Text) {
    for (unsigned Number : shortNamesIn(Text))
      if (Told.insert(Number).second)
        Open.push_back(Number);
  };
  Lines.forEach([&](ExplainedLine &Line) { forTexts(Line, note); });
  forTexts(D, note);
  for (size_t N = 0; N < Open.size(); ++N) {
    const Value *V = Words.shortened()[Open[N]];
    std::string Meaning = Words.meaning(V);
    note(Meaning);
    Lines.at(placeInSource(V)).Where.push_back(Words.shortName(V) + " = " + Meaning);
  }
}

void nameShortTexts(ExplainedDerivative &D) {
  MapVector<unsigned, unsigned> Names;
  auto name = [&](std::string &Text) {
    std::string Named;
    StringRef Rest = Text;
    while (true) {
      auto [Before, After] = Rest.split(SourceText::ShortPrefix);
      unsigned Number;
      Named += Before;
      if (Before.size() == Rest.size())
        break;
      Rest = After;
      if (Rest.consumeInteger(10, Number)) {
        Named += SourceText::ShortPrefix;
        continue;
      }
      Named += "t" + std::to_string(Names.insert({Number, Names.size() + 1}).first->second);
    }
    Text = std::move(Named);
  };
  for (ExplainedBlock &B : D.Blocks)
    for (ExplainedLine &Line : B.Lines)
      forTexts(Line, name);
  forTexts(D, name);
}

} // namespace isozyme
