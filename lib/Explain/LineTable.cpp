//===- LineTable.cpp - Lines of the source, by debug location -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace isozyme {

BlockKey LineTable::keyOf(const DISubprogram *Program) const {
  if (!Program)
    return {"", 0, Original.getName().str()};
  return {Program->getFilename().str(), Program->getLine(), Program->getName().str()};
}

LineTable::LineTable(const Function &Original, SourceFiles &Files)
    : Original(Original), Files(Files), Main(keyOf(Original.getSubprogram())) {
  Blocks[Main].Program = Original.getSubprogram();
  Order.push_back(Main);
}

ExplainedLine &LineTable::at(const DebugLoc &Loc) {
  BlockKey Key = Main;
  unsigned Number = std::get<1>(Main);
  if (Loc && Loc.getLine()) {
    const DISubprogram *Program = Loc->getScope()->getSubprogram();
    Key = keyOf(Program);
    Number = Loc.getLine();
    auto [It, IsNew] = Blocks.try_emplace(Key);
    if (IsNew)
      Order.push_back(Key);
    It->second.Program = Program;
    // Line 0: the optimiser has made one of several calls.
    if (const DILocation *Into = Loc.getInlinedAt(); Into && Into->getLine())
      It->second.Callers.insert(Into->getLine());
  }
  ExplainedLine &Line = Blocks[Key].Lines[Number];
  Line.Number = Number;
  return Line;
}

std::vector<ExplainedBlock> LineTable::finish() {
  std::vector<ExplainedBlock> Result;
  for (const BlockKey &Key : Order) {
    Block &B = Blocks[Key];
    ExplainedBlock Out;
    std::tie(Out.File, std::ignore, Out.Function) = Key;
    for (unsigned Caller : B.Callers)
      Out.Inlined += (Out.Inlined.empty() ? "in line " : ", ") + std::to_string(Caller);
    if (Key == Main)
      Out.Inlined.clear();
    else if (Out.Inlined.empty())
      Out.Inlined = "in several lines";
    if (B.Program) {
      const DIFile &File = *B.Program->getFile();
      const std::vector<std::string> &Text = Files.linesOf(File);
      unsigned First = std::max(B.Program->getLine(), 1u);
      unsigned Last = Files.lastLine(File, First, B.Lines.empty() ? First : B.Lines.rbegin()->first);
      if (!B.Lines.empty())
        First = std::max(std::min(First, B.Lines.begin()->first), 1u);
      for (unsigned Number = First; Number <= Last && Number <= Text.size(); ++Number)
        B.Lines[Number].Number = Number;
      for (auto &[Number, Line] : B.Lines)
        if (Number && Number <= Text.size())
          Line.Source = Text[Number - 1];
    }
    for (auto &[Number, Line] : B.Lines)
      Out.Lines.push_back(std::move(Line));
    Result.push_back(std::move(Out));
  }
  return Result;
}

} // namespace isozyme
