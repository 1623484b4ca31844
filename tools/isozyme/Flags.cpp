//===- Flags.cpp - isozyme --flags and --plugin ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For those who start compilers themselves.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "CompilerFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme::driver {

const StringLiteral FlagsHelp =
    R"(isozyme --flags           print what to add to a clang-22 command
isozyme --flags -flto     the same for derivatives across files: for compiling and linking
isozyme --flags -flto -c  only what compiling needs of that

  clang-22 -O2 $(isozyme --flags) program.c -o program
)";

const StringLiteral PluginHelp =
    R"(isozyme --plugin          print where the plugin is

  opt-22 -load-pass-plugin=$(isozyme --plugin) -passes=autodiff program.ll -S
)";

/// For a shell: in quotes where it has to be.
static std::string quoted(StringRef Word) {
  if (Word.find_first_of(" \t\"'$&|;()<>*?`\\") == StringRef::npos)
    return Word.str();
  std::string Quoted = "'";
  for (char C : Word)
    Quoted += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Quoted + "'";
}

int printFlags(Words Arguments) {
  for (StringRef A : Arguments)
    if (A != "-flto" && A != "-c")
      return fail("--flags: '" + A + "' is not understood; it takes '-flto' and '-c'");
  std::vector<std::string> Flags;
  if (Arguments.empty()) {
    if (!checkInstallation())
      return 1;
    Flags = compilerFlags(Language::C);
  } else {
    Flags = compilerCommand(Language::C, {}, LinkTime(Arguments));
    if (Flags.empty())
      return 1;
    Flags.erase(Flags.begin());
  }
  interleave(Flags, outs(), [](StringRef Flag) { outs() << quoted(Flag); }, " ");
  outs() << '\n';
  return 0;
}

int printPlugin(Words Arguments) {
  if (!Arguments.empty())
    return fail("--plugin takes no arguments; see 'isozyme --plugin --help'");
  if (!checkInstallation())
    return 1;
  outs() << pluginFile() << '\n';
  return 0;
}

} // namespace isozyme::driver
