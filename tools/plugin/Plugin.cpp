//===- Plugin.cpp - What a host of LLVM passes loads ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry point for opt, clang, flang and ld.lld, and the command line options.
// Options are registered when the file is loaded, after a look at the version of
// the LLVM that loads it: a plugin for another major release would crash.
//
//===----------------------------------------------------------------------===//
#include "EnzymeOptions.h"
#include "HostVersion.h"
#include "isozyme/Driver/Pipeline.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Support/Diagnostics.h"
#include "isozyme/Support/LLVMCompat.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include <cstdio>
#include <cstdlib>
#include <mutex>

using namespace llvm;

namespace {

using isozyme::KeepPolicy;
using isozyme::TapePolicy;
using isozyme::UndoPolicy;

/// Is there something to print after \p Name?
bool isStage(StringRef Name) {
  return is_contained({"prepared", "types", "activity", "plan"}, Name) ||
         isozyme::isPrepareStep(Name);
}

bool isMode(StringRef Name) { return Name == "reverse" || Name == "forward"; }

/// "IZ304,IZ305" or "all".
bool areDiagnostics(StringRef List) {
  SmallVector<StringRef, 4> Names;
  List.split(Names, ',');
  return List == "all" || all_of(Names, [](StringRef Name) {
           unsigned Number;
           return Name.consume_front("IZ") && !Name.getAsInteger(10, Number) &&
                  !isozyme::diagnosticSummary(isozyme::DiagId(Number)).empty();
         });
}

/// "256M": bytes, with K, M or G for powers of 1024.
bool readBytes(StringRef Text, uint64_t &Bytes) {
  unsigned Shift =
      StringSwitch<unsigned>(Text.take_back()).Case("K", 10).Case("M", 20).Case("G", 30).Default(0);
  if (Shift)
    Text = Text.drop_back();
  if (Text.getAsInteger(10, Bytes) || Bytes > (UINT64_MAX >> Shift))
    return false;
  Bytes <<= Shift;
  return true;
}

bool areBytes(StringRef Text) {
  uint64_t Bytes;
  return readBytes(Text, Bytes);
}

constexpr StringLiteral Stages =
    "is no stage; it is prepared, types, activity, plan, steps, or one of the steps";
constexpr StringLiteral NoBytes = "is no number of bytes such as 256M";
constexpr StringLiteral Modes = "is no mode; it is reverse or forward";
constexpr StringLiteral Diagnostics = "is no list of numbers such as IZ304,IZ305, and not 'all'";

/// Words of which some have a meaning; another one is an error that says which.
template <bool (*IsKnown)(StringRef), const StringLiteral &Complaint>
struct WordParser : cl::parser<std::string> {
  using parser::parser;
  bool parse(cl::Option &O, StringRef, StringRef Word, std::string &Value) {
    Value = Word.str();
    return !IsKnown(Word) && O.error("'" + Word + "' " + Complaint);
  }
};
using StageParser = WordParser<isStage, Stages>;
using BytesParser = WordParser<areBytes, NoBytes>;
using ModeParser = WordParser<isMode, Modes>;
using DiagnosticsParser = WordParser<areDiagnostics, Diagnostics>;

/// Not static objects: their constructors would run before the version check.
struct CommandLine {
  cl::OptionCategory Category{"Isozyme"};
  cl::opt<KeepPolicy> Keep{
      "isozyme-keep", cl::desc("What to do with values that the reverse sweep needs"),
      cl::values(clEnumValN(KeepPolicy::Plan, "plan", "let a cost model choose"),
                 clEnumValN(KeepPolicy::Cache, "cache", "keep them all"),
                 clEnumValN(KeepPolicy::Recompute, "recompute", "recompute where possible")),
      cl::init(KeepPolicy::Plan), cl::cat(Category)};
  cl::opt<UndoPolicy> Undo{
      "isozyme-undo", cl::desc("Where the reverse sweep puts back what stores have overwritten"),
      cl::values(clEnumValN(UndoPolicy::Plan, "plan", "let a cost model choose"),
                 clEnumValN(UndoPolicy::Never, "never", "nowhere"),
                 clEnumValN(UndoPolicy::Always, "always", "wherever it can")),
      cl::init(UndoPolicy::Plan), cl::cat(Category)};
  cl::opt<TapePolicy> TapeMemory{
      "isozyme-tape-memory", cl::desc("Where tapes lie that a call makes, uses and gives back"),
      cl::values(clEnumValN(TapePolicy::Thread, "thread", "in memory that the thread keeps"),
                 clEnumValN(TapePolicy::Malloc, "malloc", "each array from malloc, and freed")),
      cl::init(TapePolicy::Thread), cl::cat(Category)};
  cl::opt<unsigned> TapeKept{
      "isozyme-tape-kept", cl::value_desc("megabytes"),
      cl::desc("How much memory for tapes a thread keeps between derivatives"), cl::init(64),
      cl::cat(Category)};
  cl::opt<std::string, false, BytesParser> TapeLimit{
      "isozyme-tape-limit", cl::value_desc("bytes"),
      cl::desc("What a loop with isozyme_checkpoint may keep at once, such as 256M"),
      cl::cat(Category)};
  cl::opt<isozyme::AdjointOrder> Order{
      "isozyme-adjoint-order",
      cl::desc("In which order the shares of a derivative are added, and its factors multiplied"),
      cl::values(clEnumValN(isozyme::AdjointOrder::Any, "any", "the one that is fastest"),
                 clEnumValN(isozyme::AdjointOrder::Source, "source",
                            "that of the source, backwards, at each optimisation level")),
      cl::init(isozyme::AdjointOrder::Any), cl::cat(Category)};
  cl::opt<bool> Fuse{"isozyme-fuse",
                     cl::desc("Run loops of independent iterations in the reverse sweep only"),
                     cl::init(true), cl::cat(Category)};
  cl::opt<bool> Versions{
      "isozyme-versions",
      cl::desc("Compare at run time whether memory overlaps, where that saves tape"),
      cl::init(true), cl::cat(Category)};
  cl::opt<bool> SkipZeros{"isozyme-skip-zeros",
                          cl::desc("Test for adjoints of zero in front of what costs much"),
                          cl::init(true), cl::cat(Category)};
  cl::opt<bool> Chosen{"isozyme-chosen",
                       cl::desc("Reverse only the iteration in which a loop has found its result"),
                       cl::init(true), cl::cat(Category)};
  cl::opt<bool> Apart{"isozyme-apart",
                      cl::desc("Tell LLVM that shadows overlap no memory of the function"),
                      cl::init(true), cl::cat(Category)};
  cl::opt<bool> Inline{"isozyme-inline",
                       cl::desc("Inline functions in whose derivatives much would be kept"),
                       cl::init(true), cl::cat(Category)};
  cl::opt<bool> VerifyEach{"isozyme-verify-each",
                           cl::desc("Check the result of every stage of Isozyme"),
                           cl::cat(Category)};
  cl::opt<bool> RunPrepared{"isozyme-run-prepared",
                            cl::desc("Run what is differentiated in place of what it is made from"),
                            cl::Hidden, cl::cat(Category)};
  cl::opt<bool> Check{"isozyme-check",
                      cl::desc("Check each derivative against differences when it runs"),
                      cl::cat(Category)};
  cl::opt<bool> StrongZero{"isozyme-strong-zero",
                           cl::desc("A zero derivative stays zero, whatever it is multiplied by"),
                           cl::init(true), cl::cat(Category)};
  cl::opt<std::string, false, StageParser> PrintAfter{
      "isozyme-print-after", cl::value_desc("stage"),
      cl::desc("Print the result of prepared, types, activity or plan; the steps of Prepare; "
               "or the code after one of them"),
      cl::cat(Category)};
  cl::opt<std::string> PlanOut{"isozyme-plan-out", cl::value_desc("file"),
                               cl::desc("Write the plans of all reverse derivatives, as JSON"),
                               cl::cat(Category)};
  cl::opt<std::string> PlanIn{"isozyme-plan-in", cl::value_desc("file"),
                              cl::desc("Take the decisions of this file in place of the planner's"),
                              cl::cat(Category)};
  cl::opt<std::string> Explain{
      "isozyme-explain", cl::value_desc("file,..."),
      cl::desc("Write what is differentiated and how, by lines of the source (.html, .json, text)"),
      cl::cat(Category)};
  cl::opt<std::string> ExplainFunction{"isozyme-explain-function", cl::value_desc("name"),
                                       cl::desc("Explain this function only, asked for or not"),
                                       cl::cat(Category)};
  cl::opt<std::string, false, ModeParser> ExplainMode{
      "isozyme-explain-mode", cl::value_desc("reverse|forward"),
      cl::desc("Explain this derivative, asked for or not"), cl::cat(Category)};
  cl::opt<std::string> Watch{
      "isozyme-watch", cl::value_desc("x,..."),
      cl::desc("Print the derivatives of these variables when the program makes them"),
      cl::cat(Category)};
  cl::opt<std::string> DeviceMath{"isozyme-device-math", cl::value_desc("file"),
                                  cl::desc("The library of mathematics of the GPU, as bitcode"),
                                  cl::cat(Category)};
  cl::opt<std::string> Reproducer{
      "isozyme-reproducer", cl::value_desc("directory"),
      cl::desc("Write what Isozyme fails on to a file in this directory"), cl::cat(Category)};
  cl::opt<std::string, false, DiagnosticsParser> ReproducerFor{
      "isozyme-reproducer-for", cl::value_desc("IZ203,..."),
      cl::desc("Write such a file for these errors, too, or all"), cl::cat(Category)};
  cl::opt<std::string, false, DiagnosticsParser> AbortOn{
      "isozyme-abort-on", cl::value_desc("IZ203"),
      cl::desc("Abort where this error is noticed, for a debugger"), cl::Hidden, cl::cat(Category)};
  cl::opt<std::string, false, DiagnosticsParser> NoWarn{
      "isozyme-no-warn", cl::value_desc("IZ304,..."),
      cl::desc("Do not print these warnings, or all"), cl::cat(Category)};
  EnzymeOptions Enzyme{Category};
};

CommandLine *TheCommandLine = nullptr;

/// Before any other constructor of this file (hence the priority) calls a function that is
/// not there.
__attribute__((constructor(101))) void checkHostAndRegisterOptions() {
  checkHostVersion();
  TheCommandLine = new CommandLine;
}

void warnOfOption(StringRef Word) {
  std::fprintf(stderr,
               "isozyme: warning: ISOZYME_OPTIONS: '%s' is not an option of Isozyme, or has a "
               "value that the option does not take\n",
               Word.str().c_str());
}

/// What an option of the environment turns on and off; null: \p Name is no such option.
bool *switchNamed(isozyme::Options &O, StringRef Name) {
  return StringSwitch<bool *>(Name)
      .Case("isozyme-fuse", &O.Fuse)
      .Case("isozyme-versions", &O.Versions)
      .Case("isozyme-skip-zeros", &O.SkipZeros)
      .Case("isozyme-chosen", &O.Chosen)
      .Case("isozyme-apart", &O.Apart)
      .Case("isozyme-inline", &O.Inline)
      .Case("isozyme-verify-each", &O.VerifyEach)
      .Case("isozyme-check", &O.Check)
      .Case("isozyme-strong-zero", &O.StrongZero)
      .Default(nullptr);
}

/// Options in the environment, for hosts that cannot pass -mllvm (a linker that
/// reads the plugin late, a build system of others): ISOZYME_OPTIONS, separated by
/// spaces. The command line wins.
void readEnvironment(isozyme::Options &O) {
  if (const char *Check = std::getenv("ISOZYME_CHECK"))
    O.Check = *Check && StringRef(Check) != "0" && StringRef(Check) != "off";
  const char *Text = std::getenv("ISOZYME_OPTIONS");
  if (!Text)
    return;
  SmallVector<StringRef, 4> Words;
  StringRef(Text).split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    StringRef Name = Word.ltrim('-');
    StringRef Value;
    std::tie(Name, Value) = Name.split('=');
    bool On = Value.empty() || Value == "true" || Value == "1";
    bool IsSwitch = On || Value == "false" || Value == "0";
    if (Name == "isozyme-keep" && Value == "plan")
      O.Keep = KeepPolicy::Plan;
    else if (Name == "isozyme-keep" && Value == "cache")
      O.Keep = KeepPolicy::Cache;
    else if (Name == "isozyme-keep" && Value == "recompute")
      O.Keep = KeepPolicy::Recompute;
    else if (Name == "isozyme-undo" && Value == "plan")
      O.Undo = UndoPolicy::Plan;
    else if (Name == "isozyme-undo" && Value == "never")
      O.Undo = UndoPolicy::Never;
    else if (Name == "isozyme-undo" && Value == "always")
      O.Undo = UndoPolicy::Always;
    else if (Name == "isozyme-tape-memory" && Value == "thread")
      O.TapeMemory = TapePolicy::Thread;
    else if (Name == "isozyme-tape-memory" && Value == "malloc")
      O.TapeMemory = TapePolicy::Malloc;
    else if ((Name == "isozyme-tape-kept" && !Value.getAsInteger(10, O.TapeKept)) ||
             (Name == "isozyme-tape-limit" && readBytes(Value, O.TapeLimit)))
      continue;
    else if (Name == "isozyme-adjoint-order" && (Value == "any" || Value == "source"))
      O.Order = Value == "any" ? isozyme::AdjointOrder::Any : isozyme::AdjointOrder::Source;
    else if (bool *Switch = switchNamed(O, Name); Switch && IsSwitch)
      *Switch = On;
    else if (Name == "isozyme-print-after" && isStage(Value))
      O.PrintAfter = Value.str();
    else if (Name == "isozyme-plan-out" && !Value.empty())
      O.PlanOut = Value.str();
    else if (Name == "isozyme-plan-in" && !Value.empty())
      O.PlanIn = Value.str();
    else if (Name == "isozyme-explain" && !Value.empty())
      O.Explain = Value.str();
    else if (Name == "isozyme-explain-function" && !Value.empty())
      O.ExplainFunction = Value.str();
    else if (Name == "isozyme-explain-mode" && isMode(Value))
      O.ExplainMode = Value.str();
    else if (Name == "isozyme-watch" && !Value.empty())
      O.Watch = Value.str();
    else if (Name == "isozyme-device-math" && !Value.empty())
      O.DeviceMath = Value.str();
    else if (Name == "isozyme-reproducer" && !Value.empty())
      O.Reproducer = Value.str();
    else if (Name == "isozyme-reproducer-for" && areDiagnostics(Value))
      O.ReproducerFor = Value.str();
    else if (Name == "isozyme-abort-on" && areDiagnostics(Value))
      O.AbortOn = Value.str();
    else if (Name == "isozyme-no-warn" && areDiagnostics(Value))
      O.NoWarn = Value.str();
    else
      warnOfOption(Word);
  }
}

void loadOptions() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    isozyme::Options O;
    readEnvironment(O);
    CommandLine &C = *TheCommandLine;
    if (C.Keep.getNumOccurrences())
      O.Keep = C.Keep;
    if (C.Undo.getNumOccurrences())
      O.Undo = C.Undo;
    if (C.TapeMemory.getNumOccurrences())
      O.TapeMemory = C.TapeMemory;
    if (C.TapeKept.getNumOccurrences())
      O.TapeKept = C.TapeKept;
    if (C.TapeLimit.getNumOccurrences())
      readBytes(C.TapeLimit, O.TapeLimit);
    if (C.Order.getNumOccurrences())
      O.Order = C.Order;
    if (C.Fuse.getNumOccurrences())
      O.Fuse = C.Fuse;
    if (C.Versions.getNumOccurrences())
      O.Versions = C.Versions;
    if (C.SkipZeros.getNumOccurrences())
      O.SkipZeros = C.SkipZeros;
    if (C.Chosen.getNumOccurrences())
      O.Chosen = C.Chosen;
    if (C.Apart.getNumOccurrences())
      O.Apart = C.Apart;
    if (C.Inline.getNumOccurrences())
      O.Inline = C.Inline;
    if (C.VerifyEach.getNumOccurrences())
      O.VerifyEach = C.VerifyEach;
    O.RunPrepared = C.RunPrepared;
    if (C.Check.getNumOccurrences())
      O.Check = C.Check;
    if (C.StrongZero.getNumOccurrences())
      O.StrongZero = C.StrongZero;
    if (const char *Watch = std::getenv("ISOZYME_WATCH"))
      O.Watch = Watch;
    if (C.Watch.getNumOccurrences())
      O.Watch = C.Watch;
    if (C.DeviceMath.getNumOccurrences())
      O.DeviceMath = C.DeviceMath;
    if (C.Reproducer.getNumOccurrences())
      O.Reproducer = C.Reproducer;
    if (C.ReproducerFor.getNumOccurrences())
      O.ReproducerFor = C.ReproducerFor;
    if (C.AbortOn.getNumOccurrences())
      O.AbortOn = C.AbortOn;
    if (C.NoWarn.getNumOccurrences())
      O.NoWarn = C.NoWarn;
    if (C.PlanOut.getNumOccurrences())
      O.PlanOut = C.PlanOut;
    if (C.PlanIn.getNumOccurrences())
      O.PlanIn = C.PlanIn;
    if (C.Explain.getNumOccurrences())
      O.Explain = C.Explain;
    if (C.ExplainFunction.getNumOccurrences())
      O.ExplainFunction = C.ExplainFunction;
    if (C.ExplainMode.getNumOccurrences())
      O.ExplainMode = C.ExplainMode;
    if (C.PrintAfter.getNumOccurrences())
      O.PrintAfter = C.PrintAfter;
    C.Enzyme.apply(O);
    isozyme::setOptions(O);
  });
}

void registerPasses(PassBuilder &PB) { isozyme::registerIsozyme(PB, loadOptions); }

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Isozyme", ISOZYME_VERSION, registerPasses, nullptr};
}
