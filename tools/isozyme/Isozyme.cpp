//===- Isozyme.cpp - The driver command -----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands over to the command that is named first. Each has a file of its own here; the help
// of all of them is in the table below.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace isozyme::driver;

static constexpr StringLiteral Usage =
    R"(isozyme: gradients of ordinary C, C++ and Fortran code, by clang 22

  isozyme cc <clang arguments>     compile C
  isozyme c++ <clang arguments>    compile C++
  isozyme fc <flang arguments>     compile Fortran
  isozyme explain <file>[:<function>] [--html <file>] [--json <file>]
                                   [--mode=reverse|forward] [-- <clang arguments>]
                                   show line by line what is differentiated and how
  isozyme check <file>... [<program arguments>] [-- <clang arguments>]
                                   compile with a check of every derivative, and run
  isozyme --flags [-flto] [-c]     print what to add to your own clang-22 command
  isozyme --plugin                 print where the plugin is (for opt, flang, ld.lld)
  isozyme rules [<function>...]    print the known derivatives, all or these
  isozyme --version
  isozyme help [<command>]         also 'isozyme <command> --help'

The clang used is $ISOZYME_CLANG, else clang-22 on the path, else the one in
/usr/lib/llvm-22. Options of Isozyme are given by -mllvm, for example
-mllvm -isozyme-keep=cache, or in $ISOZYME_OPTIONS.
)";

namespace {
struct Command {
  StringLiteral Name;
  int (*Run)(Words);
  StringRef Help;
};
} // namespace

static int printVersion(Words Arguments) {
  if (!Arguments.empty())
    return fail("--version takes no arguments");
  outs() << "isozyme " ISOZYME_VERSION " for LLVM " LLVM_VERSION_STRING "\n";
  return 0;
}

static ArrayRef<Command> commands() {
  static const Command All[] = {
      {"cc", compileC, CompileHelp},
      {"c++", compileCxx, CompileHelp},
      {"fc", compileFortran, CompileFortranHelp},
      {"explain", explain, ExplainHelp},
      {"check", check, CheckHelp},
      {"rules", printRules, RulesHelp},
      {"--flags", printFlags, FlagsHelp},
      {"--plugin", printPlugin, PluginHelp},
      {"--version", printVersion, "isozyme --version    print the releases of Isozyme and LLVM\n"},
  };
  return All;
}

/// Null after a message.
static const Command *findCommand(StringRef Name) {
  const Command *Nearest = nullptr;
  unsigned Best = 3;
  for (const Command &C : commands()) {
    if (C.Name == Name)
      return &C;
    // As near as others, but what has been begun: c+.
    bool IsBegun = Nearest && C.Name.starts_with(Name) && !Nearest->Name.starts_with(Name);
    if (unsigned Distance = StringRef(C.Name).ltrim('-').edit_distance(Name.ltrim('-'), true, Best);
        Distance < Best + IsBegun && Distance < C.Name.size() / 2 + 1) {
      Best = Distance;
      Nearest = &C;
    }
  }
  fail("unknown command '" + Name + "'; " +
       (Nearest ? "did you mean '" + Nearest->Name + "'?" : Twine("see 'isozyme help'")));
  return nullptr;
}

static bool isHelp(StringRef Word) { return Word == "--help" || Word == "-h"; }

int main(int Argc, char **Argv) {
  SmallVector<StringRef, 16> All(Argv + std::min(Argc, 1), Argv + Argc);
  if (All.empty()) {
    errs() << Usage;
    return 1;
  }
  StringRef Name = All.front();
  Words Rest = ArrayRef(All).drop_front();
  if (isHelp(Name) || Name == "help") {
    bool IsForAll = Rest.empty() || isHelp(Rest.front()) || Rest.front() == "help";
    const Command *Asked = IsForAll ? nullptr : findCommand(Rest.front());
    if (!IsForAll && !Asked)
      return 1;
    if (Rest.size() > 1)
      return fail("help: one command at a time: '" + Rest[0] + "' or '" + Rest[1] + "'");
    outs() << (Asked ? Asked->Help : StringRef(Usage));
    return 0;
  }
  const Command *C = findCommand(Name);
  if (!C)
    return 1;
  if (!Rest.empty() && isHelp(Rest.front())) {
    outs() << C->Help;
    return 0;
  }
  return C->Run(Rest);
}
