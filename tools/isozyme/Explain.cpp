//===- Explain.cpp - isozyme explain --------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has a file compiled as far as Isozyme goes, which writes what it finds out.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "CompilerFlags.h"
#include "SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace isozyme::driver {

const StringLiteral ExplainHelp =
    R"(isozyme explain <file>[:<function>] [options] [-- <compiler arguments>]

Shows line by line what is differentiated and how. The file is C, C++ or Fortran; without
the name of a function, all that the file asks for.

  --html <file.html>         write a page instead
  --json <file.json>         write the data instead
  --mode=reverse|forward     explain this derivative, asked for or not

  isozyme explain spring.c:energy --html energy.html -- -O1 -DSTIFF
)";

namespace {
/// What the arguments say.
struct Explanation {
  StringRef File, Function;
  StringRef Mode;
  std::string Outputs;
  Words ForCompiler;
};
} // namespace

/// "a.c:f" is file and function. A file may have a colon in its name, and a function two
/// (`geo::norm`): the file is the longest that exists.
static std::pair<StringRef, StringRef> fileAndFunction(StringRef What) {
  for (size_t Colon = What.size(); Colon != StringRef::npos; Colon = What.rfind(':', Colon))
    if (sys::fs::exists(What.take_front(Colon)))
      return {What.take_front(Colon), What.substr(std::min(Colon + 1, What.size()))};
  return {"", ""};
}

/// The name's end says what is written.
static Error readOutput(StringRef Option, StringRef File, Explanation &Read) {
  StringRef End = Option == "--html" ? ".html" : ".json";
  if (File.empty())
    return createStringError("'" + Option + "' needs a file name, as in '" + Option + " gradient" +
                             End + "'");
  if (!File.ends_with(End))
    return createStringError("the file of '" + Option + "' has to end in '" + End + "', not '" +
                             File + "'");
  if (File.contains(','))
    return createStringError("'" + File + "': the name of the file may not have a comma");
  Read.Outputs += (Read.Outputs.empty() ? "" : ",") + File.str();
  return Error::success();
}

static Error readMode(StringRef Mode, Explanation &Read) {
  if (Mode != "reverse" && Mode != "forward")
    return createStringError("'--mode' is reverse or forward" +
                             (Mode.empty() ? Twine("") : ", not '" + Mode + "'"));
  Read.Mode = Mode;
  return Error::success();
}

static Expected<Explanation> explanationFrom(Words Arguments) {
  Explanation Read;
  StringRef What;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    if (Arguments[I] == "--") {
      Read.ForCompiler = Arguments.drop_front(I + 1);
      break;
    }
    auto [Option, Value] = Arguments[I].split('=');
    bool IsOutput = Option == "--html" || Option == "--json";
    if (IsOutput || Option == "--mode") {
      if (Option == Arguments[I] && I + 1 < Arguments.size() && !Arguments[I + 1].starts_with("-"))
        Value = Arguments[++I];
      if (Error E = IsOutput ? readOutput(Option, Value, Read) : readMode(Value, Read))
        return std::move(E);
    } else if (Arguments[I].starts_with("-")) {
      return createStringError("'" + Arguments[I] +
                               "' is not understood; arguments for the compiler follow '--'; see "
                               "'isozyme explain --help'");
    } else if (What.empty()) {
      What = Arguments[I];
    } else {
      return createStringError("one file at a time: '" + What + "' or '" + Arguments[I] + "'");
    }
  }
  if (What.empty())
    return createStringError("no file is named; say 'isozyme explain file.c:function'");
  std::tie(Read.File, Read.Function) = fileAndFunction(What);
  if (Read.File.empty())
    return createStringError("there is no file '" + What.split(':').first + "'");
  if (sys::fs::is_directory(Read.File))
    return createStringError("'" + Read.File + "' is a directory");
  if (Read.Function.empty() && Read.File != What)
    return createStringError("the name of a function is missing behind '" + What +
                             "'; without a colon, all that the file asks for is explained");
  return Read;
}

/// When the files were written that are to be written; none: they are not there.
static std::vector<sys::TimePoint<>> timesOf(StringRef Outputs) {
  std::vector<sys::TimePoint<>> Times;
  SmallVector<StringRef, 2> Files;
  Outputs.split(Files, ',', -1, /*KeepEmpty=*/false);
  for (StringRef File : Files) {
    sys::fs::file_status Status;
    if (!sys::fs::status(File, Status))
      Times.push_back(Status.getLastModificationTime());
  }
  return Times;
}

int explain(Words Arguments) {
  Expected<Explanation> Read = explanationFrom(Arguments);
  if (!Read)
    return fail("explain: " + toString(Read.takeError()));
  bool IsFortran = languageOf(Read->File) == Language::Fortran;
  // Clang takes the language from the file's name.
  Language L = IsFortran ? Language::Fortran : Language::C;
  SmallVector<StringRef, 16> Words = {"-O2"};
  append_range(Words, Read->ForCompiler);
  std::string Outputs =
      "-isozyme-explain=" + (Read->Outputs.empty() ? std::string("-") : Read->Outputs);
  std::string Function = ("-isozyme-explain-function=" + Read->Function).str();
  std::string Mode = ("-isozyme-explain-mode=" + Read->Mode).str();
  Words.append({"-mllvm", Outputs});
  if (!Read->Function.empty())
    Words.append({"-mllvm", Function});
  if (!Read->Mode.empty())
    Words.append({"-mllvm", Mode});
  // Standalone: also with the types of libraries, for the names of members.
  if (!IsFortran)
    Words.push_back("-fstandalone-debug");
  Words.append({"-g", "-S", "-emit-llvm", "-o", "/dev/null", Read->File});
  std::vector<std::string> Command = compilerCommand(L, Words, LinkTime({}));
  if (Command.empty())
    return 1;
  std::vector<sys::TimePoint<>> Before = timesOf(Read->Outputs);
  int Status = runAndWait(Command, "'" + Command.front() + "'");
  if (!Status && !Read->Outputs.empty() && timesOf(Read->Outputs) == Before)
    return fail(
        "explain: nothing in '" + Read->File +
        "' is differentiated, and no file is "
        "written; a function that is to be explained all the same is named after a colon: " +
        Read->File + ":function");
  return Status;
}

} // namespace isozyme::driver
