//===- Isozyme.cpp - The driver command -----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `isozyme cc` and `isozyme c++` are clang 22 with the plugin and the header's
// folder added: they look for a clang, put two flags before the user's, and turn
// into it. `isozyme explain` runs clang to have a function explained, `isozyme check` to
// make a program whose derivatives are checked, and runs that. `isozyme --flags`
// prints the flags. Never reads a source file.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RulePrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

using namespace llvm;

static constexpr StringLiteral Usage =
    R"(isozyme: gradients of ordinary C, C++ and Fortran code, by clang 22

  isozyme cc <clang arguments>     compile C
  isozyme c++ <clang arguments>    compile C++
  isozyme explain <file>[:<function>] [--html <file>] [--json <file>]
                                   [--mode=reverse|forward] [-- <clang arguments>]
                                   show line by line what is differentiated and how
  isozyme check <file> [<program arguments>] [-- <clang arguments>]
                                   compile with a check of every derivative, and run
  isozyme --flags                  print what to add to your own clang-22 command
  isozyme --plugin                 print where the plugin is (for opt, flang, ld.lld)
  isozyme rules                    print the table of known derivatives
  isozyme --version
  isozyme help

The clang used is $ISOZYME_CLANG, else clang-22 on the path, else the one in
/usr/lib/llvm-22. Options of Isozyme are given by -mllvm, for example
-mllvm -isozyme-keep=cache, or in $ISOZYME_OPTIONS.
)";

static int fail(const Twine &What) {
  errs() << "isozyme: error: " << What << '\n';
  return 1;
}

/// A file that stands beside this program, in the build tree as when installed.
static std::string beside(StringRef FromBin) {
  static int Anchor;
  SmallString<256> Path(
      sys::path::parent_path(sys::fs::getMainExecutable("isozyme", static_cast<void *>(&Anchor))));
  sys::path::append(Path, FromBin);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

static std::string pluginFile() { return beside(ISOZYME_PLUGIN_FROM_BIN); }
static std::string includeFolder() { return beside(ISOZYME_INCLUDE_FROM_BIN); }

static bool checkInstallation() {
  for (const std::string &File : {pluginFile(), includeFolder() + "/isozyme/isozyme.h"})
    if (!sys::fs::exists(File)) {
      fail("'" + File + "' is missing: this copy of Isozyme is incomplete, install it again");
      return false;
    }
  return true;
}

/// For a shell: in quotes where it has to be.
static std::string quoted(StringRef Word) {
  if (Word.find_first_of(" \t\"'$&|;()<>*?`\\") == StringRef::npos)
    return Word.str();
  std::string Quoted = "'";
  for (char C : Word)
    Quoted += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Quoted + "'";
}

static std::string findClang() {
  if (const char *Named = std::getenv("ISOZYME_CLANG"); Named && *Named) {
    ErrorOr<std::string> Path = sys::findProgramByName(Named);
    return Path && sys::fs::can_execute(*Path) ? *Path : "";
  }
  for (StringRef Name : {"clang-" LLVM_VERSION_MAJOR_STRING,
                         "/usr/lib/llvm-" LLVM_VERSION_MAJOR_STRING "/bin/clang"})
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name);
        Path && sys::fs::can_execute(*Path))
      return *Path;
  return "";
}

/// Of the same release: a compiler that a plain name or the folder of LLVM leads to.
static std::string findFlang() {
  for (StringRef Name : {"flang-" LLVM_VERSION_MAJOR_STRING,
                         "/usr/lib/llvm-" LLVM_VERSION_MAJOR_STRING "/bin/flang"})
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name);
        Path && sys::fs::can_execute(*Path))
      return *Path;
  return "";
}

static int failWithoutClang() {
  if (const char *Named = std::getenv("ISOZYME_CLANG"); Named && *Named)
    return fail(Twine("$ISOZYME_CLANG names '") + Named + "', and there is no such program");
  return fail("there is no clang-" LLVM_VERSION_MAJOR_STRING
              " (Debian: apt install clang-" LLVM_VERSION_MAJOR_STRING
              "); or name one in $ISOZYME_CLANG");
}

static int compile(bool IsCxx, ArrayRef<char *> UserArguments) {
  if (!checkInstallation())
    return 1;
  if (UserArguments.empty())
    return fail(Twine("nothing to compile; say 'isozyme ") + (IsCxx ? "c++" : "cc") +
                " <clang arguments>'");
  std::string Clang = findClang();
  if (Clang.empty())
    return failWithoutClang();
  std::vector<std::string> Arguments = {Clang};
  if (IsCxx)
    Arguments.push_back("--driver-mode=g++");
  Arguments.push_back("-fpass-plugin=" + pluginFile());
  Arguments.push_back("-I" + includeFolder());
  std::vector<char *> Pointers;
  for (std::string &Argument : Arguments)
    Pointers.push_back(Argument.data());
  Pointers.insert(Pointers.end(), UserArguments.begin(), UserArguments.end());
  Pointers.push_back(nullptr);
  ::execv(Clang.c_str(), Pointers.data());
  return fail("cannot start '" + Clang + "': " + std::strerror(errno));
}

/// "a.c:f" is file and function. A file may have a colon in its name, and a function two
/// (`geo::norm`): the file is the longest that exists.
static std::pair<StringRef, StringRef> fileAndFunction(StringRef What) {
  for (size_t Colon = What.size(); Colon != StringRef::npos; Colon = What.rfind(':', Colon))
    if (sys::fs::exists(What.take_front(Colon)))
      return {What.take_front(Colon), What.substr(std::min(Colon + 1, What.size()))};
  return {"", ""};
}

namespace {
/// What the arguments of `isozyme explain` say.
struct ExplainArguments {
  StringRef File, Function;
  StringRef Mode;
  std::string Outputs;
  ArrayRef<char *> ForClang;
};
} // namespace

/// False after a message.
static bool readExplainArguments(ArrayRef<char *> Arguments, ExplainArguments &Read) {
  StringRef What;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    if (Argument == "--") {
      Read.ForClang = Arguments.drop_front(I + 1);
      break;
    }
    StringRef Value;
    if (Argument.starts_with("--") && Argument.contains('='))
      std::tie(Argument, Value) = Argument.split('=');
    else if (is_contained({"--html", "--json", "--mode"}, Argument) && I + 1 < Arguments.size())
      Value = Arguments[++I];
    bool IsOutput = Argument == "--html" || Argument == "--json";
    if (IsOutput && !Value.empty() && !Value.contains(',')) {
      // The name's end says what is written.
      Read.Outputs += (Read.Outputs.empty() ? "" : ",") + Value.str();
      StringRef End = Argument == "--html" ? ".html" : ".json";
      if (!Value.ends_with(End))
        return fail("the file of '" + Argument + "' has to end in '" + End + "'"), false;
    } else if (Argument == "--mode" && (Value == "reverse" || Value == "forward")) {
      Read.Mode = Value;
    } else if (What.empty() && !Argument.starts_with("-")) {
      What = Argument;
    } else {
      return fail("explain: '" + Twine(Arguments[I]) +
                  "' is not understood; arguments for clang follow '--'; see 'isozyme help'"),
             false;
    }
  }
  if (What.empty())
    return fail("explain what? Say 'isozyme explain file.c:function'"), false;
  std::tie(Read.File, Read.Function) = fileAndFunction(What);
  if (Read.File.empty())
    return fail("there is no file '" + What.split(':').first + "'"), false;
  return true;
}

/// Compiles the file as far as Isozyme goes, which writes what it finds out.
static int explain(ArrayRef<char *> Arguments) {
  ExplainArguments Read;
  if (!readExplainArguments(Arguments, Read) || !checkInstallation())
    return 1;
  bool IsFortran = is_contained({".f", ".F", ".f90", ".F90", ".f95", ".f03", ".f08"},
                                sys::path::extension(Read.File));
  std::string Compiler = IsFortran ? findFlang() : findClang();
  if (Compiler.empty())
    return IsFortran ? fail("there is no flang-" LLVM_VERSION_MAJOR_STRING
                            " (Debian: apt install flang-" LLVM_VERSION_MAJOR_STRING ")")
                     : failWithoutClang();
  std::vector<std::string> Words = {Compiler, "-fpass-plugin=" + pluginFile(),
                                    "-I" + includeFolder(), "-O2"};
  Words.insert(Words.end(), Read.ForClang.begin(), Read.ForClang.end());
  auto addOption = [&](const Twine &Option) {
    Words.push_back("-mllvm");
    Words.push_back(Option.str());
  };
  addOption("-isozyme-explain=" + (Read.Outputs.empty() ? std::string("-") : Read.Outputs));
  if (!Read.Function.empty())
    addOption("-isozyme-explain-function=" + Read.Function);
  if (!Read.Mode.empty())
    addOption("-isozyme-explain-mode=" + Read.Mode);
  // Standalone: also with the types of libraries, for the names of members.
  if (!IsFortran)
    Words.push_back("-fstandalone-debug");
  for (StringRef Word : {"-g", "-S", "-emit-llvm", "-o", "/dev/null"})
    Words.push_back(Word.str());
  Words.push_back(Read.File.str());
  std::vector<StringRef> Command(Words.begin(), Words.end());
  std::string Why;
  int Status = sys::ExecuteAndWait(Compiler, Command, std::nullopt, {}, 0, 0, &Why);
  return Status < 0 ? fail("cannot run '" + Compiler + "': " + Why) : Status;
}

/// Runs a command and waits for it. Not a number of a signal: 1 after a message.
static int runAndWait(ArrayRef<std::string> Words, const Twine &What) {
  std::vector<StringRef> Command(Words.begin(), Words.end());
  std::string Why;
  int Status = sys::ExecuteAndWait(Words.front(), Command, std::nullopt, {}, 0, 0, &Why);
  return Status < 0 ? fail(What + " ended early: " + Why) : Status;
}

/// The program says itself what is wrong, and returns 1 if something is.
static int check(ArrayRef<char *> Arguments) {
  auto *Dashes = find_if(Arguments, [](const char *A) { return StringRef(A) == "--"; });
  ArrayRef<char *> ForProgram(Arguments.begin(), Dashes);
  ArrayRef<char *> ForClang(Dashes == Arguments.end() ? Dashes : Dashes + 1, Arguments.end());
  if (ForProgram.empty() || StringRef(ForProgram.front()).starts_with("-"))
    return fail("check what? Say 'isozyme check file.c'");
  StringRef File = ForProgram.front();
  if (!sys::fs::exists(File))
    return fail("there is no file '" + File + "'");
  if (!checkInstallation())
    return 1;
  std::string Clang = findClang();
  if (Clang.empty())
    return failWithoutClang();
  SmallString<128> Program;
  if (std::error_code E = sys::fs::createTemporaryFile("isozyme-check", "", Program))
    return fail("cannot make a temporary file: " + E.message());
  std::vector<std::string> Words = {Clang};
  if (!sys::path::extension(File).equals_insensitive(".c"))
    Words.push_back("--driver-mode=g++");
  for (const std::string &Word :
       {"-fpass-plugin=" + pluginFile(), "-I" + includeFolder(), std::string("-O1"),
        std::string("-g"), std::string("-mllvm"), std::string("-isozyme-check")})
    Words.push_back(Word);
  Words.push_back(File.str());
  Words.insert(Words.end(), ForClang.begin(), ForClang.end());
  Words.insert(Words.end(), {"-o", std::string(Program), "-lm"});
  int Status = runAndWait(Words, "'" + Clang + "'");
  if (!Status) {
    Words = {std::string(Program)};
    Words.insert(Words.end(), ForProgram.begin() + 1, ForProgram.end());
    Status = runAndWait(Words, "the program of '" + File + "'");
  }
  sys::fs::remove(Program);
  return Status;
}

int main(int Argc, char **Argv) {
  StringRef Command = Argc > 1 ? Argv[1] : "help";
  ArrayRef<char *> Rest(Argv + std::min(Argc, 2), Argv + Argc);
  if (Command == "cc" || Command == "c++")
    return compile(Command == "c++", Rest);
  if (Command == "explain")
    return explain(Rest);
  if (Command == "check")
    return check(Rest);
  if (!Rest.empty())
    return fail("'" + Command + "' takes no arguments; see 'isozyme help'");
  if (Command == "help" || Command == "--help" || Command == "-h") {
    outs() << Usage;
    return Argc > 1 ? 0 : 1;
  }
  if (Command == "--version") {
    outs() << "isozyme " ISOZYME_VERSION " for LLVM " LLVM_VERSION_STRING "\n";
    return 0;
  }
  if (Command == "rules") {
    isozyme::printRuleTable(outs());
    return 0;
  }
  if (Command != "--flags" && Command != "--plugin")
    return fail("unknown command '" + Command + "'; see 'isozyme help'");
  if (!checkInstallation())
    return 1;
  if (Command == "--plugin")
    outs() << pluginFile() << '\n';
  else
    outs() << quoted("-fpass-plugin=" + pluginFile()) << ' ' << quoted("-I" + includeFolder())
           << '\n';
  return 0;
}
