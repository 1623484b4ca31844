//===- Check.cpp - isozyme check ------------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program whose derivatives are checked, and runs it. The program says itself what
// is wrong, and its status is the status of the command.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "CompilerFlags.h"
#include "SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace isozyme::driver {

const StringLiteral CheckHelp =
    R"(isozyme check <file>... [<program arguments>] [-- <compiler arguments>]

Compiles the program with a check of every derivative against finite differences, and
runs it. The first arguments that are files of C and C++, or of Fortran, are the program's
sources; what follows is for the program. The exit status is the program's; it is 1 where
a derivative is wrong, and 2 where nothing was checked.

  isozyme check fit.cpp
  isozyme check main.c model.c input.txt -- -DSTIFF -lm
)";

namespace {
struct CheckedProgram {
  Words Sources, ForProgram, ForCompiler;
  Language L = Language::C;
  bool IsMixed = false; ///< C and C++.
};
} // namespace

static Expected<CheckedProgram> programFrom(Words Arguments) {
  CheckedProgram Read;
  auto *Dashes = find(Arguments, "--");
  if (Dashes != Arguments.end())
    Read.ForCompiler = Words(Dashes + 1, Arguments.end());
  Words Front(Arguments.begin(), Dashes);
  Read.Sources = Front.take_while([](StringRef A) { return languageOf(A).has_value(); });
  Read.ForProgram = Front.drop_front(Read.Sources.size());
  if (Front.empty())
    return createStringError("no file is named; say 'isozyme check file.c'");
  if (Read.Sources.empty() && Front.front().starts_with("-"))
    return createStringError("'" + Front.front() +
                             "' is not understood; say 'isozyme check file.c', see 'isozyme check "
                             "--help'");
  if (Read.Sources.empty())
    return createStringError("'" + Front.front() +
                             "' is no file of C, C++ or Fortran, to judge by the end of its name");
  bool HasFortran = false, HasC = false, HasCxx = false;
  for (StringRef File : Read.Sources) {
    if (!sys::fs::exists(File))
      return createStringError("there is no file '" + File + "'");
    if (sys::fs::is_directory(File))
      return createStringError("'" + File + "' is a directory");
    Language L = *languageOf(File);
    (L == Language::Fortran ? HasFortran : L == Language::C ? HasC : HasCxx) = true;
  }
  if (HasFortran && (HasC || HasCxx))
    return createStringError(
        "files of Fortran and of C are compiled by different programs; compile "
        "those without derivatives first, and name their object files behind "
        "'--'");
  Read.L = HasFortran ? Language::Fortran : HasC ? Language::C : Language::Cxx;
  Read.IsMixed = HasC && HasCxx;
  return Read;
}

/// Empty after a message.
static std::vector<std::string> commandFor(const CheckedProgram &Read, StringRef Program) {
  SmallVector<StringRef, 16> Words = {"-O1", "-g", "-mllvm", "-isozyme-check"};
  append_range(Words, Read.Sources);
  append_range(Words, Read.ForCompiler);
  Words.append({"-o", Program});
  if (Read.IsMixed)
    Words.push_back("-lstdc++");
  if (Read.L != Language::Fortran)
    Words.push_back("-lm");
  LinkTime Lto(Words);
  // Without that linker, functions of other files are errors that say what is missing.
  bool HasSeveral = Read.Sources.size() > 1 || any_of(Read.ForCompiler, [](StringRef A) {
                      return !A.starts_with("-") && languageOf(A);
                    });
  if (HasSeveral && !findLinker(findCompiler(Read.L)).empty())
    Lto.ask();
  return compilerCommand(Read.L, Words, Lto);
}

/// Calls of derivatives bring along what checks them, and tells of it at the end.
static bool hasCheckedCalls(StringRef Program) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Program);
  return !File || (*File)->getBuffer().contains("isozyme check: nothing was checked");
}

int check(Words Arguments) {
  Expected<CheckedProgram> Read = programFrom(Arguments);
  if (!Read)
    return fail("check: " + toString(Read.takeError()));
  SmallString<128> Program;
  if (std::error_code E = sys::fs::createTemporaryFile("isozyme-check", "", Program)) {
    SmallString<128> Folder;
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
    return fail("check: cannot write to '" + Folder + "', the folder for temporary files (" +
                (std::getenv("TMPDIR") ? "$TMPDIR" : "$TMPDIR names another") +
                "): " + E.message());
  }
  scope_exit Remove([&] { sys::fs::remove(Program); });
  std::vector<std::string> Command = commandFor(*Read, Program);
  if (Command.empty())
    return 1;
  if (int Status = runAndWait(Command, "'" + Command.front() + "'"))
    return Status;
  Command = {std::string(Program)};
  for (StringRef Argument : Read->ForProgram)
    Command.push_back(Argument.str());
  const std::string First = Read->Sources.front().str();
  int Status = runAndWait(Command, "the program of '" + First + "'");
  if (hasCheckedCalls(Program))
    return Status;
  constexpr int NothingChecked = 2;
  errs() << "isozyme check: nothing was checked: no call of a derivative is in '" << First << "'"
         << (Read->Sources.size() > 1 ? " and the other files" : "") << '\n';
  return Status ? Status : NothingChecked;
}

} // namespace isozyme::driver
