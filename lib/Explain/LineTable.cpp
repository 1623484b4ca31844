//===- LineTable.cpp - Lines of the source, by debug location -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each copy that inlining has made of a function is a block of its own, so that what a
// variable is called in one of them is not mixed up with the others. Copies of which the
// same is said are told once.
//
//===----------------------------------------------------------------------===//
#include "LineTable.h"
#include "isozyme/Explain/Renderers.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme {

/// The variable of \p In that holds a lambda of type \p Closure.
static StringRef variableOf(const DISubprogram *In, const DICompositeType *Closure) {
  if (!In)
    return "";
  for (const DINode *Node : In->getRetainedNodes())
    if (auto *Variable = dyn_cast<DILocalVariable>(Node);
        Variable && bareType(Variable->getType()) == Closure)
      return Variable->getName();
  return "";
}

std::string shortTemplate(const std::string &Name) {
  constexpr size_t Longest = 24;
  const size_t Open = Name.find('<');
  // Of an operator it is part of the name.
  if (Open == std::string::npos || StringRef(Name).take_front(Open).ends_with("operator"))
    return Name;
  int Depth = 0;
  for (size_t I = Open; I < Name.size(); ++I) {
    Depth += (Name[I] == '<') - (Name[I] == '>');
    if (!Depth)
      return I - Open <= Longest ? Name : Name.substr(0, Open) + "<...>" + Name.substr(I + 1);
  }
  return Name;
}

std::string shownName(const DISubprogram &Program) {
  auto *Scope = dyn_cast_or_null<DICompositeType>(Program.getScope());
  bool IsLambda = Scope && Scope->getTag() == dwarf::DW_TAG_class_type && Scope->getName().empty();
  if (!IsLambda)
    return shortTemplate(Program.getName().str());
  auto *Around = dyn_cast_or_null<DILocalScope>(Scope->getScope());
  StringRef Name = variableOf(Around ? Around->getSubprogram() : nullptr, Scope);
  return Name.empty() ? "the lambda in line " + std::to_string(Program.getLine()) : Name.str();
}

std::string inQuotes(const std::string &Function) {
  return StringRef(Function).starts_with("the lambda ") ? Function : "'" + Function + "'";
}

static const DISubprogram *programOf(const DILocation &Loc) {
  return Loc.getScope()->getSubprogram();
}

/// Is it one function? A clone may have a description of its own.
static bool isSame(const DISubprogram *A, const DISubprogram *B) {
  auto key = [](const DISubprogram &Program) {
    return std::tuple(Program.getFilename(), Program.getLine(), Program.getName());
  };
  return A == B || (A && B && key(*A) == key(*B));
}

ShownPlace shownPlace(const DebugLoc &Loc) {
  std::vector<const DILocation *> Users;
  const DILocation *Outermost = nullptr;
  for (const DILocation *At = Loc; At; At = At->getInlinedAt()) {
    Outermost = At;
    if (!isLibraryFile(programOf(*At)->getFilename()))
      Users.push_back(At);
  }
  if (Users.empty() && Outermost)
    Users.push_back(Outermost);
  ShownPlace Where;
  if (Users.empty())
    return Where;
  Where.Program = programOf(*Users.front());
  Where.Line = Users.front()->getLine();
  Where.Calls.assign(Users.begin() + 1, Users.end());
  return Where;
}

std::string ShownPlace::path() const {
  std::string Path;
  for (const DILocation *Call : Calls)
    Path += (Call->getFilename() + ":" + Twine(Call->getLine()) + ":" + Twine(Call->getColumn()) +
             " < ")
                .str();
  return Path;
}

/// The user's function that one of our headers only calls; null if that is not inlined.
static const DISubprogram *programCalledBy(const Function &Caller) {
  for (const Instruction &I : instructions(Caller)) {
    ShownPlace Where = shownPlace(I.getDebugLoc());
    const DISubprogram *Outer =
        Where.Calls.empty() ? Where.Program : programOf(*Where.Calls.back());
    if (Outer && !isSame(Outer, Caller.getSubprogram()))
      return Outer;
  }
  return nullptr;
}

LineTable::LineTable(const Function &Original, SourceFiles &Files)
    : Original(Original), Files(Files), Main(Original.getSubprogram()) {
  if (Main && isOurHeader(Main->getFilename()))
    if (const DISubprogram *Called = programCalledBy(Original))
      Main = Called;
  Blocks.push_back(std::make_unique<Block>());
  Blocks.front()->Where.Program = Main;
}

LineTable::Block &LineTable::blockOf(const ShownPlace &Where) {
  if (Where.Calls.empty())
    return *Blocks.front();
  std::string Path = Where.path();
  Block *&Copy =
      Copies[Path + Where.Program->getFilename().str() + ":" +
             std::to_string(Where.Program->getLine()) + ":" + Where.Program->getName().str()];
  if (!Copy) {
    Blocks.push_back(std::make_unique<Block>());
    Copy = Blocks.back().get();
    Copy->Where = Where;
    Copy->Path = std::move(Path);
  }
  return *Copy;
}

ExplainedLine &LineTable::at(const DebugLoc &Loc) {
  ShownPlace Where = shownPlace(Loc);
  if (Where.Program && !isSame(Where.Program, Main) && Where.Calls.empty())
    return atReturn(DebugLoc()); // The header hands on what the user's function returns.
  Block &B = blockOf(Where);
  unsigned Number = Where.Line ? Where.Line : Main ? Main->getLine() : 0;
  ExplainedLine &Line = (Where.Line ? B : *Blocks.front()).Lines[Number];
  Line.Number = Number;
  return Line;
}

unsigned LineTable::lastReturn(unsigned From, unsigned To) {
  const std::vector<std::string> &Text = Files.linesOf(*Main->getFile());
  for (unsigned Number = std::min<size_t>(To, Text.size()); Number >= std::max(From, 1u); --Number)
    if (hasWord(Text[Number - 1], "return"))
      return Number;
  return To;
}

ExplainedLine &LineTable::atReturn(const DebugLoc &Loc) {
  ShownPlace Where = shownPlace(Loc);
  bool InHeader = !isSame(Where.Program, Main);
  if (!Main || (!InHeader && (!Where.Line || !Where.Calls.empty())))
    return at(Loc);
  const DIFile &File = *Main->getFile();
  const std::vector<std::string> &Text = Files.linesOf(File);
  unsigned First = Main->getLine(), Number = Where.Line;
  if (InHeader)
    Number = lastReturn(First, Files.lastLine(File, First, First));
  else if (Number <= Text.size() && StringRef(Text[Number - 1]).trim() == "}")
    Number = lastReturn(First, Number);
  ExplainedLine &Line = Blocks.front()->Lines[Number];
  Line.Number = Number;
  return Line;
}

/// "line 28", "line 12 of 'helper', called in line 28"
static std::string callText(const ShownPlace &Where) {
  std::string Text;
  for (const DILocation *Call : Where.Calls) {
    bool IsLast = Call == Where.Calls.back();
    // Line 0: the optimiser has made one of several calls.
    Text += (Text.empty() ? "" : ", called in ") + (Call->getLine()
                                                        ? "line " + std::to_string(Call->getLine())
                                                        : std::string("several lines"));
    if (!IsLast)
      Text += " of " + inQuotes(shownName(*programOf(*Call)));
  }
  return Text;
}

ExplainedBlock LineTable::finish(Block &B) {
  ExplainedBlock Out;
  const DISubprogram *Program = B.Where.Program;
  Out.Function = Program ? shownName(*Program) : Original.getName().str();
  Out.File = Program ? Program->getFilename().str() : "";
  if (!B.Where.Calls.empty()) {
    Out.Inlined = "in " + callText(B.Where);
    const DILocation &Call = *B.Where.Calls.front();
    Out.CalledFrom.push_back({Call.getFilename().str(), Call.getLine()});
  }
  Out.Paths.push_back(B.Path);
  if (Program) {
    const DIFile &File = *Program->getFile();
    const std::vector<std::string> &Text = Files.linesOf(File);
    unsigned First = std::max(Program->getLine(), 1u);
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
  return Out;
}

std::vector<ExplainedBlock> LineTable::finish() {
  std::vector<ExplainedBlock> Result;
  for (const std::unique_ptr<Block> &B : Blocks)
    Result.push_back(finish(*B));
  return Result;
}

} // namespace isozyme
