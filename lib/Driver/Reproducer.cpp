//===- Reproducer.cpp - A file that repeats a failure ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two files: `<function>.ll`, with the call and the functions that its derivative is
// made from, and `<function>.sh`, which repeats the failure, and which llvm-reduce asks
// whether a smaller file still shows it.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/Reproducer.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <dlfcn.h>

using namespace llvm;

namespace isozyme {

/// \p Root and everything that its code or its value names, directly or not.
static void reach(const GlobalValue &Root, SetVector<const GlobalValue *> &Reached) {
  size_t Next = Reached.size();
  Reached.insert(&Root);
  SmallVector<const Constant *, 16> Open;
  SmallPtrSet<const Constant *, 16> Seen;
  auto look = [&](const Value *V) {
    auto *C = dyn_cast_or_null<Constant>(V);
    if (C && !isa<ConstantData>(C) && Seen.insert(C).second)
      Open.push_back(C);
  };
  for (; Next < Reached.size(); ++Next) {
    if (auto *F = dyn_cast<Function>(Reached[Next]))
      for (const Instruction &I : instructions(F))
        for (const Value *Operand : I.operands())
          look(Operand);
    else if (auto *G = dyn_cast<GlobalVariable>(Reached[Next]); G && G->hasInitializer())
      look(G->getInitializer());
    while (!Open.empty()) {
      const Constant *C = Open.pop_back_val();
      if (auto *G = dyn_cast<GlobalValue>(C)) {
        Reached.insert(G);
        continue;
      }
      for (const Value *Operand : C->operands())
        look(Operand);
    }
  }
}

/// Declarations and private variables that nothing names any more.
static void eraseUnused(Module &M) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    SmallVector<GlobalValue *> Unused;
    for (GlobalValue &G : M.global_values()) {
      G.removeDeadConstantUsers();
      if (G.use_empty() && (G.isDeclaration() || G.hasLocalLinkage()))
        Unused.push_back(&G);
    }
    for (GlobalValue *G : Unused)
      G->eraseFromParent();
    Changed = !Unused.empty();
  }
}

/// The call's function and what \p Target is made of, in a module of their own. Other calls
/// of Isozyme in that function are taken out.
static std::unique_ptr<Module> extract(const CallBase &Call, const Function *Target) {
  const Function &Caller = *Call.getFunction();
  SetVector<const GlobalValue *> Needed;
  if (Target)
    reach(*Target, Needed);
  // Data that the call names, such as tables and registrations.
  for (const Value *Operand : Call.args())
    if (auto *G = dyn_cast<GlobalValue>(Operand->stripPointerCasts()))
      reach(*G, Needed);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Part = CloneModule(*Caller.getParent(), Map, [&](const GlobalValue *G) {
    return G == &Caller || Needed.contains(G) || isa<GlobalVariable>(G);
  });
  auto *Mine = cast<Instruction>(&*Map[&Call]);
  for (CallBase *Other : findEntryCalls(*Part)) {
    if (Other == Mine || Other->getFunction() != Mine->getFunction() || !isa<CallInst>(Other))
      continue;
    Other->replaceAllUsesWith(PoisonValue::get(Other->getType()));
    Other->eraseFromParent();
  }
  Mine->getFunction()->setLinkage(GlobalValue::ExternalLinkage);
  eraseUnused(*Part);
  return Part;
}

/// The options that change what Isozyme does.
static std::string optionText() {
  const Options &O = options();
  std::string Text;
  if (O.Keep != KeepPolicy::Plan)
    Text += O.Keep == KeepPolicy::Cache ? " -isozyme-keep=cache" : " -isozyme-keep=recompute";
  if (O.Order == AdjointOrder::Source)
    Text += " -isozyme-adjoint-order=source";
  if (O.TapeMemory == TapePolicy::Malloc)
    Text += " -isozyme-tape-memory=malloc";
  if (O.VerifyEach)
    Text += " -isozyme-verify-each";
  if (!O.StrongZero)
    Text += " -isozyme-strong-zero=false";
  if (!O.Watch.empty())
    Text += " -isozyme-watch=" + O.Watch;
  if (!O.AbortOn.empty())
    Text += " -isozyme-abort-on=" + O.AbortOn;
  return Text;
}

/// The file that this code was loaded from; empty if a shell would not read it as it is.
static std::string pluginPath() {
  Dl_info Info;
  SmallString<128> Path;
  if (!dladdr(reinterpret_cast<const void *>(&pluginPath), &Info) || !Info.dli_fname ||
      sys::fs::real_path(Info.dli_fname, Path) || Path.find_first_of("\"$`\\}") != StringRef::npos)
    return "";
  return Path.str().str();
}

/// \p Shows: what the output must hold for the failure to be the same.
static std::string scriptText(StringRef Input, StringRef Shows) {
  return ("#!/bin/sh\n"
          "# What Isozyme failed on is in " +
          Input +
          ". Usage, in this directory:\n"
          "#   ./SCRIPT            repeats the failure\n"
          "#   ./SCRIPT reduce     makes the file smaller (llvm-reduce-22): reduced.ll\n"
          "#   ./SCRIPT FILE.ll    succeeds if the file shows the failure, too\n"
          "PLUGIN=${ISOZYME_PLUGIN:-" +
          pluginPath() +
          "}\n"
          "[ -f \"$PLUGIN\" ] || PLUGIN=$(isozyme --plugin) || {\n"
          "  echo \"$0: set ISOZYME_PLUGIN to the path of Isozyme.so\" >&2\n"
          "  exit 2\n"
          "}\n"
          "run() {\n"
          "  opt-22 -load-pass-plugin=\"$PLUGIN\" -passes='autodiff<no-cleanup>' -disable-output" +
          optionText() +
          " \"$1\"\n"
          "}\n"
          "case ${1-} in\n"
          "'') run \"$(dirname \"$0\")/" +
          Input +
          "\" ;;\n"
          "reduce) exec llvm-reduce-22 --test=\"$0\" -o \"$(dirname \"$0\")/reduced.ll\" \\\n"
          "          \"$(dirname \"$0\")/" +
          Input +
          "\" ;;\n"
          "*) run \"$1\" 2>&1 | grep -q '" +
          Shows +
          "' ;;\n"
          "esac\n")
      .str();
}

/// A name for a file from that of a function.
static std::string plainName(StringRef Name) {
  std::string Plain;
  for (char C : Name.take_front(80))
    Plain += isAlnum(C) || C == '_' || C == '.' ? C : '-';
  return Plain;
}

static bool write(StringRef Path, function_ref<void(raw_ostream &)> Print) {
  std::error_code Failed;
  raw_fd_ostream OS(Path, Failed);
  if (Failed)
    return false;
  Print(OS);
  OS.close();
  bool Written = !OS.has_error();
  OS.clear_error();
  return Written;
}

void Reproducer::writeScript(StringRef Shows) {
  std::string Text = scriptText(sys::path::filename(File), Shows);
  size_t At;
  std::string Name = sys::path::filename(Script).str();
  while ((At = Text.find("SCRIPT")) != std::string::npos)
    Text.replace(At, 6, Name);
  write(Script, [&](raw_ostream &OS) { OS << Text; });
  (void)sys::fs::setPermissions(Script,
                                sys::fs::all_read | sys::fs::all_exe | sys::fs::owner_write);
}

Reproducer::Reproducer(const CallBase &Call, const Function *Target) : Where(Call) {
  if (options().Reproducer.empty())
    return;
  SmallString<128> Base(options().Reproducer);
  (void)sys::fs::create_directories(Base);
  std::string Name = plainName(Target ? Target->getName() : Call.getFunction()->getName());
  sys::path::append(Base, Name);
  // Failures that were kept before stay.
  std::string Path = Base.str().str();
  for (unsigned Next = 2; sys::fs::exists(Path + ".ll"); ++Next)
    Path = (Base + "-" + Twine(Next)).str();
  std::unique_ptr<Module> Part = extract(Call, Target);
  if (!write(Path + ".ll", [&](raw_ostream &OS) { Part->print(OS, nullptr); })) {
    Unwritten = true;
    return;
  }
  File = Path + ".ll";
  Script = Path + ".sh";
  writeScript("PLEASE submit a bug report\\|Stack dump");
}

void Reproducer::Story::print(raw_ostream &OS) const {
  OS << "Isozyme was at work on a derivative";
  if (!R.File.empty())
    OS << ": its input is in '" << R.File << "', and '" << R.Script << "' repeats what happened";
  else
    OS << "; with '-mllvm -isozyme-reproducer=<directory>' its input is kept for a report";
  OS << '\n';
}

Reproducer::~Reproducer() {
  if (Keep || File.empty())
    return;
  (void)sys::fs::remove(File);
  (void)sys::fs::remove(Script);
}

Error Reproducer::judge(Error E) {
  if (!E.isA<DiffError>())
    return E;
  DiagId Id = DiagId::InternalError;
  visitErrors(E,
              [&](const ErrorInfoBase &Info) { Id = static_cast<const DiffError &>(Info).id(); });
  SmallVector<StringRef, 4> Wanted;
  StringRef(options().ReproducerFor).split(Wanted, ',', -1, /*KeepEmpty=*/false);
  bool IsInternal = unsigned(Id) >= 900;
  if (!IsInternal && !is_contained(Wanted, "all") && !is_contained(Wanted, diagnosticName(Id)))
    return E;
  if (File.empty()) {
    if (!IsInternal && !Unwritten)
      return E;
    return withNote(std::move(E), Where,
                    Unwritten ? "nothing could be written to '" + options().Reproducer + "'"
                              : "compile with '-mllvm -isozyme-reproducer=<directory>' to get a "
                                "file for the report");
  }
  Keep = true;
  writeScript("\\[" + diagnosticName(Id) + "\\]");
  return withNote(std::move(E), Where,
                  "what Isozyme failed on is in '" + File + "', and '" + Script + "' repeats it");
}

} // namespace isozyme
