//===- Isozyme.cpp - The driver command -----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `isozyme cc` and `isozyme c++` are clang 22 with the plugin and the header's
// folder added: they look for a clang, put two flags before the user's, and turn
// into it. `isozyme --flags` prints the flags. Never reads a source file.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RulePrinter.h"
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

static int compile(bool IsCxx, ArrayRef<char *> UserArguments) {
  if (!checkInstallation())
    return 1;
  if (UserArguments.empty())
    return fail(Twine("nothing to compile; say 'isozyme ") + (IsCxx ? "c++" : "cc") +
                " <clang arguments>'");
  std::string Clang = findClang();
  if (Clang.empty()) {
    if (const char *Named = std::getenv("ISOZYME_CLANG"); Named && *Named)
      return fail(Twine("$ISOZYME_CLANG names '") + Named + "', and there is no such program");
    return fail("there is no clang-" LLVM_VERSION_MAJOR_STRING
                " (Debian: apt install clang-" LLVM_VERSION_MAJOR_STRING
                "); or name one in $ISOZYME_CLANG");
  }
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

int main(int Argc, char **Argv) {
  StringRef Command = Argc > 1 ? Argv[1] : "help";
  ArrayRef<char *> Rest(Argv + std::min(Argc, 2), Argv + Argc);
  if (Command == "cc" || Command == "c++")
    return compile(Command == "c++", Rest);
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
