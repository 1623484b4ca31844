//===- Renderers.h - A report for programs, terminals, browsers --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EXPLAIN_RENDERERS_H
#define ISOZYME_EXPLAIN_RENDERERS_H

#include "isozyme/Explain/Report.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace isozyme {

/// "kept", "read again": one word or two for a person.
llvm::StringRef hadText(Had How);

/// What is done with a call, in two words: "runs once". Empty for what needs none.
llvm::StringRef callLabel(llvm::StringRef Treatment);
/// The values of a line that are had so: "x[i], y".
std::string namesHad(const ExplainedLine &Line, Had How);
/// "Compiled with -O2, and differentiated after its optimisations"
std::string levelSentence(llvm::StringRef Level);
/// "i, n times"
std::string loopSentence(const ExplainedLoop &L);

/// The members of Report by name; docs/explain.md lists them.
void writeJson(const Report &R, llvm::raw_ostream &OS);
/// Text, with colours where \p OS shows them.
void writeTerminal(const Report &R, llvm::raw_ostream &OS);
/// One page without any reference to the outside.
void writeHtml(const Report &R, llvm::raw_ostream &OS);

} // namespace isozyme

#endif
