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

using namespace llvm;

namespace isozyme::driver {

const StringLiteral CompileHelp =
    R"(isozyme cc <clang arguments>     compile and link C
isozyme c++ <clang arguments>    compile and link C++

The command is clang-22 with the plugin, the folder of <isozyme/isozyme.h> and exact
places in messages; every argument is passed on. 'clang-22 --help' lists clang's own.

  -flto   derivatives of functions in other files and in static libraries: say it when
          compiling and when linking; the linker is lld-22 (docs/libraries.md)

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

static int compile(Language L, StringRef Name, StringRef Compiler, Words Arguments) {
  if (Arguments.empty())
    return fail("nothing to compile; say 'isozyme " + Name + " <" + Compiler + " arguments>'");
  std::vector<std::string> Command = compilerCommand(L, Arguments, LinkTime(Arguments));
  return Command.empty() ? 1 : become(Command);
}

int compileC(Words Arguments) { return compile(Language::C, "cc", "clang", Arguments); }
int compileCxx(Words Arguments) { return compile(Language::Cxx, "c++", "clang", Arguments); }
int compileFortran(Words Arguments) { return compile(Language::Fortran, "fc", "flang", Arguments); }

} // namespace isozyme::driver
