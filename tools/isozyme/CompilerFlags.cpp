//===- CompilerFlags.cpp - What Isozyme adds to a compiler's command ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompilerFlags.h"
#include "SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace isozyme::driver {

std::vector<std::string> compilerFlags(Language L) {
  // A format for records of optimisations, of which none is written, makes the compiler keep track
  // of lines and columns: errors have exact places, and the object file stays as it is. The remark
  // options (-Rpass=...) would do the same, but the last of several counts, and users have theirs.
  StringRef Frontend = L == Language::Fortran ? "-Xflang" : "-Xclang";
  std::vector<std::string> Flags = {"-fpass-plugin=" + pluginFile(),
                                    "-I" + includeFolder(),
                                    Frontend.str(),
                                    "-opt-record-format",
                                    Frontend.str(),
                                    "yaml"};
  // Without it clang drops the attributes of Enzyme.
  if (std::string File = attributesFile(); L != Language::Fortran && sys::fs::exists(File))
    Flags.insert(Flags.begin() + 1, "-fplugin=" + File);
  if (L == Language::Fortran) // The module isozyme.
    Flags.push_back("-I" + includeFolder() + "/isozyme/fortran");
  return Flags;
}

/// The C++ interface needs C++20, and clang's default is C++17. A file of C in the same command
/// would not take the option.
static bool needsNewerStandard(Language L, Words Arguments) {
  return none_of(Arguments,
                 [&](StringRef A) {
                   bool IsStandard =
                       A.starts_with("-std=") || A.starts_with("--std") || A == "-ansi";
                   return IsStandard || (L == Language::C && languageOf(A) == Language::C);
                 }) &&
         includesCxxInterface(Arguments);
}

std::vector<std::string> compilerCommand(Language L, Words Arguments, const LinkTime &Lto) {
  if (!checkInstallation())
    return {};
  std::string Compiler = findCompiler(L);
  if (Compiler.empty())
    return {};
  if (L == Language::Fortran)
    provideFortranModule(Compiler);
  std::vector<std::string> Command = {Compiler};
  if (L == Language::Cxx)
    Command.push_back("--driver-mode=g++");
  // What one step uses another does not: the linker's options where only compiling is asked for.
  if (L != Language::Fortran)
    Command.push_back("--start-no-unused-arguments");
  append_range(Command, compilerFlags(L));
  if (Error E = Lto.addFlags(Command, L, Compiler)) {
    fail(toString(std::move(E)));
    return {};
  }
  if (needsNewerStandard(L, Arguments))
    Command.push_back("-std=gnu++20");
  if (L != Language::Fortran)
    Command.push_back("--end-no-unused-arguments");
  for (StringRef Argument : Arguments)
    Command.push_back(Argument.str());
  return Command;
}

} // namespace isozyme::driver
