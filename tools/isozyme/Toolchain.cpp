//===- Toolchain.cpp - The programs and files that commands use -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Toolchain.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace isozyme::driver {

static constexpr StringLiteral ProgramsOfLLVM = "/usr/lib/llvm-" LLVM_VERSION_MAJOR_STRING "/bin";

int fail(const Twine &What) {
  errs() << "isozyme: error: " << What << '\n';
  return 1;
}

static std::string beside(StringRef FromBin) {
  static int Anchor;
  SmallString<256> Path(
      sys::path::parent_path(sys::fs::getMainExecutable("isozyme", static_cast<void *>(&Anchor))));
  sys::path::append(Path, FromBin);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

std::string pluginFile() { return beside(ISOZYME_PLUGIN_FROM_BIN); }
std::string attributesFile() { return beside(ISOZYME_ATTRIBUTES_FROM_BIN); }
std::string includeFolder() { return beside(ISOZYME_INCLUDE_FROM_BIN); }

bool checkInstallation() {
  for (const std::string &File : {pluginFile(), includeFolder() + "/isozyme/isozyme.h"})
    if (!sys::fs::exists(File)) {
      fail("'" + File + "' is missing: this copy of Isozyme is incomplete, install it again");
      return false;
    }
  return true;
}

/// The first of these on the path, or in these folders, that can be started.
static std::string firstProgram(ArrayRef<StringRef> Names, ArrayRef<StringRef> Folders = {}) {
  for (StringRef Name : Names)
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name, Folders);
        Path && sys::fs::can_execute(*Path))
      return *Path;
  return "";
}

/// "clang-22" on the path, or "clang" among the programs of that release.
static std::string findProgram(StringRef Name) {
  std::string Versioned = (Name + "-" LLVM_VERSION_MAJOR_STRING).str();
  std::string Path = firstProgram({StringRef(Versioned)});
  return Path.empty() ? firstProgram({Name}, {ProgramsOfLLVM}) : Path;
}

static std::string findClang() {
  const char *Named = std::getenv("ISOZYME_CLANG");
  if (!Named || !*Named)
    return findProgram("clang");
  return firstProgram({StringRef(Named)});
}

std::string findCompiler(Language L) {
  std::string Path = L == Language::Fortran ? findProgram("flang") : findClang();
  if (!Path.empty())
    return Path;
  const char *Named = std::getenv("ISOZYME_CLANG");
  if (L == Language::Fortran)
    fail("there is no flang-" LLVM_VERSION_MAJOR_STRING
         " (Debian: apt install flang-" LLVM_VERSION_MAJOR_STRING ")");
  else if (Named && *Named)
    fail(Twine("$ISOZYME_CLANG names '") + Named + "', and there is no such program");
  else
    fail("there is no clang-" LLVM_VERSION_MAJOR_STRING
         " (Debian: apt install clang-" LLVM_VERSION_MAJOR_STRING
         "); or name one in $ISOZYME_CLANG");
  return "";
}

std::string findLinker(StringRef Compiler) {
  SmallString<256> Real;
  if (!sys::fs::real_path(Compiler, Real)) {
    StringRef Folder = sys::path::parent_path(Real);
    if (std::string Path = firstProgram({"ld.lld"}, {Folder}); !Path.empty())
      return Path;
  }
  return findProgram("ld.lld");
}

void provideFortranModule(StringRef Flang) {
  const std::string Folder = includeFolder() + "/isozyme/fortran";
  const std::string Source = Folder + "/isozyme.f90";
  if (sys::fs::exists(Folder + "/isozyme.mod") || !sys::fs::exists(Source))
    return;
  std::vector<std::string> Command = {Flang.str(), "-fsyntax-only", "-module-dir", Folder, Source};
  if (!sys::fs::access(Folder, sys::fs::AccessMode::Write)) {
    runAndWait(Command, "the compilation of the Fortran module");
    return;
  }
  errs()
      << "isozyme: note: the Fortran module has not been compiled, because flang was missing when "
         "Isozyme was built; let somebody who may write to '"
      << Folder << "' run once: " << join(Command, " ") << "\n";
}

int become(ArrayRef<std::string> Command) {
  std::vector<char *> Pointers;
  for (const std::string &Word : Command)
    Pointers.push_back(const_cast<char *>(Word.c_str()));
  Pointers.push_back(nullptr);
  ::execv(Pointers.front(), Pointers.data());
  return fail("cannot start '" + Command.front() + "': " + std::strerror(errno));
}

int runAndWait(ArrayRef<std::string> Command, const Twine &What) {
  std::vector<StringRef> Words(Command.begin(), Command.end());
  std::string Why;
  int Status = sys::ExecuteAndWait(Words.front(), Words, std::nullopt, {}, 0, 0, &Why);
  return Status < 0 ? fail(What + " ended early: " + Why) : Status;
}

} // namespace isozyme::driver
