//===- Explainer.cpp - Collects what is decided, and shows it -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what it is told into text at once: plans and prepared functions are gone
// when the files are written.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Explain/Explainer.h"
#include "ReportBuilder.h"
#include "isozyme/Explain/Renderers.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace isozyme {

SmallVector<std::string, 3> qualifiedNames(const Function &F) {
  ItaniumPartialDemangler Parts;
  std::string Symbol = F.getName().str();
  if (Parts.partialDemangle(Symbol.c_str()) || !Parts.isFunction())
    return {Symbol};
  auto text = [](char *Chars) {
    std::string Text = Chars ? Chars : "";
    std::free(Chars);
    return Text;
  };
  std::string Scope = text(Parts.getFunctionDeclContextName(nullptr, nullptr));
  std::string Base = text(Parts.getFunctionBaseName(nullptr, nullptr));
  std::string Whole = text(Parts.getFunctionName(nullptr, nullptr));
  return {Scope.empty() ? Base : Scope + "::" + Base, Whole, Base};
}

bool isNamed(const Function &F, StringRef Name) {
  StringRef Symbol = F.getName();
  return Name == sourceNameOf(F) || Name == Symbol || Name == demangle(Symbol) ||
         is_contained(qualifiedNames(F), Name);
}

bool isMadeUpCaller(const Function &F) { return F.getName().starts_with(ExplainPrefix); }

Explainer::Explainer(const Module &M, StringRef Level, StringRef Wanted, StringRef Mode)
    : File(M.getSourceFileName()), Level(Level), Wanted(Wanted), Mode(Mode),
      Sources(std::make_unique<SourceFiles>()) {}

Explainer::~Explainer() = default;

void Explainer::beginRequest(const CallBase &Call) {
  First = Entries.size();
  ++Group;
  Asked = {};
  const Function &Caller = *Call.getFunction();
  IsMadeUp = isMadeUpCaller(Caller);
  const DILocation *Loc = userLocation(Call.getDebugLoc());
  bool IsOurs = Loc && isOurHeader(Loc->getFilename());
  if (Loc && Loc->getLine() && !IsOurs)
    Asked = {Loc->getFilename().str(), Loc->getLine()};
  AskedFor =
      IsMadeUp ? "Nothing in this file asks for it: activities are those that the types suggest"
      : IsOurs ? "Asked for by a header of Isozyme, which differentiates the derivative again"
               : "Asked for in '" + sourceNameOf(Caller) + "'";
}

Explainer::Entry &Explainer::addEntry(const DiffRequest &R) {
  bool IsCallee = Entries.size() > First;
  Entries.push_back({R, {}, Group, IsMadeUp, Wanted.empty()});
  ExplainedDerivative &D = Entries.back().Derivative;
  D.Asked = Asked;
  D.AskedBy = IsCallee
                  ? "Needed for the derivative of " + inQuotes(Entries[First].Derivative.Function)
                  : AskedFor;
  D.Level = Level;
  if (R.Fn) {
    D.Function = R.Fn->getSubprogram() ? shownName(*R.Fn->getSubprogram())
                                       : shortTemplate(sourceNameOf(*R.Fn));
    Entries.back().IsMeant |= isNamed(*R.Fn, Wanted);
    Entries.back().IsMeant &= Mode.empty() || (Mode == "forward") != R.isReverse();
  }
  return Entries.back();
}

Explainer::Entry &Explainer::entryOf(const DiffRequest &R) {
  DiffRequest Key = R.Mode == DiffMode::FromTape ? R.inMode(DiffMode::Augment) : R;
  for (Entry &E : Entries)
    if (E.Request == Key)
      return E;
  return addEntry(Key);
}

void Explainer::put(const DiffRequest &R, ExplainedDerivative D) {
  ExplainedDerivative &Old = entryOf(R).Derivative;
  D.Asked = Old.Asked;
  D.AskedBy = Old.AskedBy;
  D.Level = Old.Level;
  Old = std::move(D);
}

void Explainer::noteActivity(const DiffRequest &R, const PreparedFunction &P,
                             const TypeResult &Types, const ActivityResult &Activity) {
  put(R, ReportBuilder(R, P, Types, Activity, nullptr, nullptr, nullptr, *Sources).build());
}

void Explainer::notePlan(const ForwardPlan &Plan, const TypeResult &Types,
                         const ActivityResult &Activity) {
  put(Plan.Request, ReportBuilder(Plan.Request, Plan.P, Types, Activity, &Plan.Calls, &Plan.Steps,
                                  nullptr, *Sources)
                        .build(&Plan.Vectors));
}

void Explainer::notePlan(const DerivativePlan &Plan, const TypeResult &Types,
                         const ActivityResult &Activity) {
  put(Plan.Request, ReportBuilder(Plan.Request, Plan.P, Types, Activity, &Plan.Calls, &Plan.Steps,
                                  &Plan, *Sources)
                        .build());
}

/// The line of \p Loc in what is known of a derivative: in the copy that it is from, if there is
/// one.
static ExplainedLine *lineOf(ExplainedDerivative &D, const DebugLoc &Loc) {
  ShownPlace Where = shownPlace(Loc);
  if (!Where.Program || !Where.Line)
    return nullptr;
  ExplainedLine *Found = nullptr;
  std::string Path = Where.path();
  for (ExplainedBlock &B : D.Blocks)
    for (ExplainedLine &Line : B.Lines)
      if (B.File == Where.Program->getFilename() && Line.Number == Where.Line) {
        if (is_contained(B.Paths, Path))
          return &Line;
        Found = Found ? Found : &Line;
      }
  return Found;
}

void Explainer::noteDerivative(const DiffRequest &R, const Function &Derivative) {
  ExplainedDerivative &D = entryOf(R).Derivative;
  ModuleSlotTracker Slots(Derivative.getParent());
  Slots.incorporateFunction(Derivative);
  ExplainedLine *Last = nullptr;
  const BasicBlock *In = nullptr;
  for (const Instruction &I : instructions(Derivative)) {
    const DebugLoc &Loc = I.getDebugLoc();
    if (!Loc || !Loc.getLine())
      continue;
    ExplainedLine *Line = lineOf(D, Loc);
    if (!Line)
      continue;
    if (Line != Last || In != I.getParent()) {
      std::string Block;
      raw_string_ostream OS(Block);
      I.getParent()->printAsOperand(OS, /*PrintType=*/false, Slots);
      Line->Code.push_back(StringRef(Block).ltrim('%').str() + ":");
    }
    std::string Text;
    raw_string_ostream OS(Text);
    I.print(OS, Slots);
    Line->Code.push_back("  " + StringRef(Text).split(", !").first.trim().str());
    Last = Line;
    In = I.getParent();
  }
}

void Explainer::noteError(const Error &E) {
  visitErrors(E, [&](const ErrorInfoBase &Info) {
    if (!Info.isA<DiffError>())
      return;
    auto &Told = static_cast<const DiffError &>(Info);
    auto put = [&](const Place &Where, ExplainedMessage M) {
      if (Where.Loc)
        M.Where = {Where.Loc->getFilename().str(), Where.Loc.getLine()};
      for (size_t N = Entries.size(); Where.Loc && N > First; --N)
        if (ExplainedLine *Line = lineOf(Entries[N - 1].Derivative, Where.Loc)) {
          Line->Messages.push_back(std::move(M));
          return;
        }
      if (Entries.size() > First)
        Entries[First].Derivative.Messages.push_back(std::move(M));
    };
    if (Entries.size() == First) { // Nothing is known of the function.
      DiffRequest Unknown;
      Unknown.Fn = const_cast<llvm::Function *>(Told.where().Fn);
      addEntry(Unknown).Derivative.Title = "no derivative";
    }
    for (size_t N = First; N < Entries.size(); ++N)
      Entries[N].Derivative.Complete = false;
    put(Told.where(), {"error", diagnosticName(Told.id()), Told.text(), {}});
    for (const DiffError::Note &Note : Told.notes())
      put(Note.Where, {"note", "", Note.Text, {}});
  });
}

/// Is it about what Isozyme's headers put around a function, and nothing else?
static bool isHeaders(const ExplainedDerivative &D) {
  return D.Complete && !D.Blocks.empty() && isOurHeader(D.Blocks.front().File);
}

/// A line of a file of the user's where \p Function is called, as far as \p All are told.
static SourceLine callOf(const std::string &Function, ArrayRef<ExplainedDerivative> All) {
  for (const ExplainedDerivative &D : All)
    for (const ExplainedBlock &B : D.Blocks)
      for (const ExplainedLine &Line : B.Lines)
        if (!isLibraryFile(B.File) &&
            any_of(Line.Calls, [&](const ExplainedCall &C) { return C.Callee == Function; }))
          return {B.File, Line.Number};
  return {};
}

/// "iterations(line 78)"  ->  "iterations(stl_algo.h:78)"
static std::string withFile(StringRef Text, StringRef File) {
  std::string Named;
  while (!Text.empty()) {
    auto [Before, After] = Text.split("(line ");
    Named += Before;
    if (Before.size() != Text.size())
      Named += ("(" + File + ":").str();
    Text = After;
  }
  return Named;
}

/// Leaves of what is told of a function of a library, whose lines a user has never seen, what it
/// costs, and which line of the user's it belongs to.
static void tellInShort(ExplainedDerivative &D, const SourceLine &Call) {
  ExplainedBlock &Code = D.Blocks.front();
  const StringRef File = sys::path::filename(Code.File);
  std::string Told = "code of a library (" + File.str() + ")";
  if (Call.Line)
    Told += ", called in line " + std::to_string(Call.Line) + " of " +
            sys::path::filename(Call.File).str();
  D.Remarks = {Told +
               "; what is told of its lines is shown if you ask for it by its name, "
               "'isozyme explain <file>:" +
               StringRef(D.Function).split('<').first.str() + "'"};
  D.TapeTotal = withFile(D.TapeTotal, File);
  for (ShortName &Short : D.ShortNames)
    Short.Text = withFile(Short.Text, File);
  for (std::string &Unknown : D.Unknowns)
    Unknown = withFile(Unknown, File);
  Code.Lines.clear();
  D.Blocks.resize(1);
  D.Loops.clear();
  D.Tape.clear();
}

/// A real request tells more than one made up for the explanation; what a function needs of
/// others comes behind it. What Isozyme's headers put around a function is not told.
Report Explainer::select() const {
  Report R;
  R.File = File;
  bool HasReal = any_of(Entries, [](const Entry &E) { return E.IsMeant && !E.IsMadeUp; });
  auto isWanted = [&](const Entry &E) {
    return !(HasReal && E.IsMadeUp) &&
           !(isHeaders(E.Derivative) && (Wanted.empty() || !E.IsMeant)) &&
           any_of(Entries, [&](const Entry &Of) { return Of.IsMeant && Of.Group == E.Group; });
  };
  for (bool Meant : {true, false})
    for (const Entry &E : Entries)
      if (E.IsMeant == Meant && isWanted(E)) {
        R.Derivatives.push_back(E.Derivative);
        const Entry &Asks = *find_if(Entries, [&](const Entry &Of) { return Of.Group == E.Group; });
        if (isHeaders(Asks.Derivative)) {
          R.Derivatives.back().AskedBy = Asks.Derivative.AskedBy;
          R.Derivatives.back().Asked = Asks.Derivative.Asked;
        }
      }
  const std::vector<ExplainedDerivative> All = R.Derivatives;
  for (ExplainedDerivative &D : R.Derivatives)
    if (Wanted.empty() && D.Complete && !D.Blocks.empty() && isLibraryFile(D.Blocks.front().File))
      tellInShort(D, callOf(D.Function, All));
  return R;
}

Error Explainer::write(StringRef Paths) {
  Report R = select();
  // Options for a whole project must not make empty files of its other files. And of a
  // function that is not there an error has told.
  if (R.Derivatives.empty() && (Paths != "-" || !Wanted.empty()))
    return Error::success();
  while (!Paths.empty()) {
    StringRef Path;
    std::tie(Path, Paths) = Paths.split(',');
    if (Path == "-") {
      writeTerminal(R, outs(), widthOfOutput(outs()), showsColors(outs()));
      outs().flush();
      continue;
    }
    std::error_code Failed;
    raw_fd_ostream OS(Path, Failed, sys::fs::OF_Text);
    if (Failed)
      return createStringError(Failed, "cannot write the explanation to '" + Path +
                                           "': " + Failed.message());
    if (Path.ends_with(".json"))
      writeJson(R, OS);
    else if (Path.ends_with(".html") || Path.ends_with(".htm"))
      writeHtml(R, OS);
    else
      writeTerminal(R, OS, widthOfOutput(OS), /*InColor=*/false);
  }
  return Error::success();
}

} // namespace isozyme
