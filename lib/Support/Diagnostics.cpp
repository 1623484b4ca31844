//===- Diagnostics.cpp - Errors as values, printed once -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of a DiffError, and the only code that hands one to LLVM's
// diagnostic handler (so that clang prints it as its own, with a caret).
//
// Errors and warnings are of the kind that clang maps back to its own source
// locations. It has no notes of that kind; a note is handed over as a line of a
// source file, or, without a line, as the message of a plugin.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/Diagnostics.h"
#include "CallChain.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace isozyme {

char DiffError::ID = 0;

/// Is \p M compiled by -flto=thin? Files that are linked as a whole, or may be, say so.
static bool isOptimisedThin(const Module &M) {
  return M.getModuleFlag("EnableSplitLTOUnit") && !M.getModuleFlag("ThinLTO") &&
         !M.getModuleFlag("UnifiedLTO");
}

std::string linkTimeAdvice(const Function &Where) {
  StringRef File = Where.getParent()->getSourceFileName();
  StringRef Command = isFortran(Where) ? "fc" : File.ends_with(".c") ? "cc" : "c++";
  StringRef Instead = isOptimisedThin(*Where.getParent())
                          ? " instead of '-flto=thin', which leaves each function in its file"
                          : "";
  return ("compile and link all files with 'isozyme " + Command + " -flto'" + Instead +
          " (docs/libraries.md)")
      .str();
}

std::string diagnosticName(DiagId Id) { return "IZ" + std::to_string(unsigned(Id)); }

StringRef diagnosticSummary(DiagId Id) {
  switch (Id) {
#define IZ_DIAGNOSTIC(NUMBER, NAME, SUMMARY)                                                       \
  case DiagId::NAME:                                                                               \
    return SUMMARY;
#include "isozyme/Support/DiagnosticIds.def"
  }
  return "";
}

Place::Place(const Instruction &I) : Fn(I.getFunction()), Loc(I.getDebugLoc()) {}

Place::Place(const GlobalVariable &G) : Fn(&*G.getParent()->begin()), Variable(&G) {}

std::string DiffError::text(StringRef MoreFix) const {
  std::string Text = What;
  if (!Fix.empty())
    Text += "; " + Fix + MoreFix.str();
  return Text + " [" + diagnosticName(Id) + "]";
}

Error diffError(DiagId Id, Place Where, const Twine &What, const Twine &Fix) {
  if (options().AbortOn == diagnosticName(Id))
    std::abort(); // Asked for: the stack tells how it came to this.
  return make_error<DiffError>(Id, Where, readable(What), Fix.str());
}

Error withNote(Error E, Place Where, const Twine &Text) {
  return handleErrors(std::move(E), [&](std::unique_ptr<DiffError> D) -> Error {
    D->addNote(Where, readable(Text));
    return Error(std::move(D));
  });
}

/// LLVM knows lines of functions only: a variable's is put into one made for this.
static DiagnosticLocation locationOf(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  G.getDebugInfo(Expressions);
  if (Expressions.empty())
    return DiagnosticLocation();
  const DIGlobalVariable *V = Expressions.front()->getVariable();
  TempDISubprogram Line = DISubprogram::getTemporary(
      G.getContext(), V->getScope(), V->getName(), "", V->getFile(), V->getLine(), nullptr,
      V->getLine(), nullptr, 0, 0, DINode::FlagZero, DISubprogram::SPFlagZero, nullptr);
  return DiagnosticLocation(Line.get());
}

namespace {
/// A message that no handler knows the kind of: printed with its severity alone.
class PlainMessage : public DiagnosticInfo {
public:
  PlainMessage(const Twine &Text, DiagnosticSeverity Severity = DS_Note)
      : DiagnosticInfo(kind(), Severity), Text(Text) {}
  void print(DiagnosticPrinter &DP) const override { DP << Text; }

private:
  static int kind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
  const Twine &Text;
};
} // namespace

/// flang prints what it is given, so that is all that is to be said.
static void emitFortran(const Place &Where, const DiagnosticLocation &Loc, const Twine &Text,
                        DiagnosticSeverity Severity) {
  StringRef Name = Where.Fn->getName();
  Name.consume_back("_"); // Of a procedure that is in no module.
  std::string Start;
  if (Loc.isValid())
    Start =
        (Loc.getRelativePath() + ":" + Twine(Loc.getLine()) + ":" + Twine(Loc.getColumn()) + ": ")
            .str();
  Where.Fn->getContext().diagnose(
      PlainMessage(Start + "in " + nameInSource(Name) + ": " + Text, Severity));
}

static void emit(const Place &Where, const Twine &Text, DiagnosticSeverity Severity) {
  DiagnosticLocation Loc;
  if (Where.Loc)
    Loc = DiagnosticLocation(DebugLoc(userLocation(Where.Loc)));
  else if (Where.Variable)
    Loc = locationOf(*Where.Variable);
  if (isFortran(*Where.Fn))
    return emitFortran(Where, Loc, Text, Severity);
  Where.Fn->getContext().diagnose(DiagnosticInfoUnsupported(*Where.Fn, Text, Loc, Severity));
}

static std::unique_ptr<MemoryBuffer> sourceOf(const DiagnosticLocation &Loc) {
  for (const std::string &Path : {Loc.getRelativePath().str(), Loc.getAbsolutePath()})
    if (auto File = MemoryBuffer::getFile(Path, /*IsText=*/true)) // Named as the compiler names it.
      return MemoryBuffer::getMemBufferCopy((*File)->getBuffer(), Loc.getRelativePath());
  return nullptr;
}

static void emitNote(const Place &Where, const Twine &Text) {
  LLVMContext &Context = Where.Fn->getContext();
  const DISubprogram *Program = Where.Fn->getSubprogram();
  if (!Where.Loc && !Program) {
    Context.diagnose(PlainMessage(readable("in function '" + Where.Fn->getName() + "': " + Text)));
    return;
  }
  DiagnosticLocation Loc = Where.Loc ? DiagnosticLocation(DebugLoc(userLocation(Where.Loc)))
                                     : DiagnosticLocation(Program);
  if (std::unique_ptr<MemoryBuffer> File = sourceOf(Loc)) {
    SourceMgr Sources;
    unsigned Id = Sources.AddNewSourceBuffer(std::move(File), SMLoc());
    SMLoc At = Sources.FindLocForLineAndColumn(Id, Loc.getLine(), std::max(Loc.getColumn(), 1u));
    if (At.isValid()) {
      SMDiagnostic Note = Sources.GetMessage(At, SourceMgr::DK_Note, Text);
      Context.diagnose(DiagnosticInfoSrcMgr(Note, "", /*InitInlineAsmDiag=*/false));
      return;
    }
  }
  Context.diagnose(PlainMessage(Loc.getRelativePath() + ":" + Twine(Loc.getLine()) + ":" +
                                Twine(Loc.getColumn()) + ": " + Text));
}

/// flang knows places only if it is asked to. (clang says so itself.)
static void adviseOnPlaces(const Place &Where) {
  if (Where.Fn && !Where.Loc && !Where.Variable && !Where.Fn->getSubprogram() &&
      isFortran(*Where.Fn))
    Where.Fn->getContext().diagnose(
        PlainMessage("the line is known with -g, or where 'isozyme fc' compiles the file"));
}

void report(Error E) {
  handleAllErrors(std::move(E), [](const DiffError &D) {
    SmallVector<ChainLink, 8> Links = callChain(D);
    emit(Links.front().Where, Links.front().Text, DS_Error);
    for (const ChainLink &Note : ArrayRef<ChainLink>(Links).drop_front())
      emitNote(Note.Where, Note.Text);
    adviseOnPlaces(Links.front().Where);
  });
}

/// -isozyme-no-warn
static bool isSilenced(DiagId Id) {
  SmallVector<StringRef, 4> Names;
  StringRef(options().NoWarn).split(Names, ',', -1, /*KeepEmpty=*/false);
  return is_contained(Names, "all") || is_contained(Names, diagnosticName(Id));
}

void warn(DiagId Id, Place Where, const Twine &What) {
  if (isSilenced(Id))
    return;
  emit(Where, readable(What) + " [" + diagnosticName(Id) + "]", DS_Warning);
}

} // namespace isozyme
