//===- Compile.cpp - isozyme cc, c++ and fc -------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts Isozyme's flags before the user's, and becomes the compiler.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "CompilerFlags.h"
#include "SourceFiles.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace isozyme::driver {

const StringLiteral CompileHelp =
    R"(isozyme cc <clang arguments>     compile and link C
isozyme c++ <clang arguments>    compile and link C++

The command is clang-22 with the plugin, the folder of <isozyme/isozyme.h> and exact
places in messages; every argument is passed on. 'clang-22 --help' lists clang's own.

  -flto   derivatives of functions in other files and in static libraries: say it when
          compiling and when linking; the linker is lld-22 (docs/libraries.md)
  -isozyme-...   an option of the plugin; other commands of clang's need -mllvm before it

'c++' compiles files that include <isozyme/isozyme.hpp> as -std=gnu++20, unless another
standard is named.
)";

const StringLiteral CompileFortranHelp =
    R"(isozyme fc <flang arguments>     compile and link Fortran

The command is flang-22 with the plugin and exact places in messages; every argument is
passed on. 'flang-22 --help' lists flang's own.

  -flto   derivatives of procedures in other files: say it when compiling and when
          linking; C files to be linked with these need -fno-unified-lto (docs/libraries.md)
)";

/// The plugin's own options need no -mllvm: `isozyme cc -isozyme-watch=x f.c`.
static SmallVector<StringRef, 32> withMarkedOptions(Words Arguments) {
  SmallVector<StringRef, 32> Marked;
  for (StringRef A : Arguments) {
    bool IsOurs = A.starts_with("-isozyme-") || A.starts_with("-enzyme-");
    bool BelongsToLast =
        !Marked.empty() &&
        (Marked.back() == "-mllvm" || Marked.back().starts_with("-X") || Marked.back() == "-o");
    if (IsOurs && !BelongsToLast)
      Marked.push_back("-mllvm");
    Marked.push_back(A);
  }
  return Marked;
}

/// The first file that the compiler of \p L cannot compile; empty if there is none.
static StringRef fileOfOtherLanguage(Language L, Words Arguments) {
  for (auto [K, File] : enumerate(Arguments)) {
    std::optional<Language> Of = languageOf(File);
    bool IsValue = K && (Arguments[K - 1] == "-o" || Arguments[K - 1].starts_with("-X"));
    if (Of && !IsValue && !File.starts_with("-") && !File.ends_with(".ll") &&
        !File.ends_with(".bc") && (*Of == Language::Fortran) != (L == Language::Fortran))
      return File;
  }
  return "";
}

static int compile(Language L, StringRef Name, StringRef Compiler, Words Arguments) {
  if (Arguments.empty())
    return fail("nothing to compile; say 'isozyme " + Name + " <" + Compiler + " arguments>'");
  if (StringRef File = fileOfOtherLanguage(L, Arguments); !File.empty()) {
    Language Of = *languageOf(File);
    StringRef Right = Of == Language::Fortran ? "fc" : Of == Language::C ? "cc" : "c++";
    return fail("'isozyme " + Name + "' does not compile '" + File + "'; say 'isozyme " + Right +
                " -c " + File + "', and pass its object file on");
  }
  SmallVector<StringRef, 32> Marked = withMarkedOptions(Arguments);
  std::vector<std::string> Command = compilerCommand(L, Marked, LinkTime(Marked));
  return Command.empty() ? 1 : become(Command);
}

int compileC(Words Arguments) { return compile(Language::C, "cc", "clang", Arguments); }
int compileCxx(Words Arguments) { return compile(Language::Cxx, "c++", "clang", Arguments); }
int compileFortran(Words Arguments) { return compile(Language::Fortran, "fc", "flang", Arguments); }

} // namespace isozyme::driver
