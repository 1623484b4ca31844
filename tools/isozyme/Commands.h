//===- Commands.h - What the driver command can do ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function and one page of help per command. A function takes what follows the
// command's name and returns the exit status.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_ISOZYME_COMMANDS_H
#define ISOZYME_TOOLS_ISOZYME_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace isozyme::driver {

using Words = llvm::ArrayRef<llvm::StringRef>;

int compileC(Words Arguments);
int compileCxx(Words Arguments);
int compileFortran(Words Arguments);
int explain(Words Arguments);
int check(Words Arguments);
int printFlags(Words Arguments);
int printPlugin(Words Arguments);
int printRules(Words Arguments);

extern const llvm::StringLiteral CompileHelp, CompileFortranHelp, ExplainHelp, CheckHelp, FlagsHelp,
    PluginHelp, RulesHelp;

} // namespace isozyme::driver

#endif
