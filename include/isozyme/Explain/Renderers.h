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
/// Values of a line that are kept alike: "y[0], y[1]", "8 * n bytes each", why.
struct KeptGroup {
  std::string Names, Size, Reason;
};
std::vector<KeptGroup> keptGroups(const ExplainedLine &Line);
/// The values of a line that are had so: "x[i], y".
std::string namesHad(const ExplainedLine &Line, Had How);
/// "Compiled with -O2, and differentiated after its optimisations"
std::string levelSentence(llvm::StringRef Level);
/// "'norm'", "the lambda in line 12"
std::string inQuotes(const std::string &Function);
/// "1 byte", "8 * n bytes"
std::string inBytes(const std::string &Size);
/// "i, n times"
std::string loopSentence(const ExplainedLoop &L);
/// "line 3 (twice) and line 7": where the copies of an inlined function are called.
std::string inlinedText(const ExplainedBlock &B);
/// "a call from gradient.cpp:12": what asks for the derivative, with its place.
std::string askedText(const ExplainedDerivative &D);

/// The members of Report by name; docs/explain.md lists them.
void writeJson(const Report &R, llvm::raw_ostream &OS);
/// Text in lines of at most \p Width characters (0: as long as they are), with colours if wanted.
void writeTerminal(const Report &R, llvm::raw_ostream &OS, unsigned Width, bool InColor);
/// The width of the terminal, or what COLUMNS says; 100 for what is no terminal.
unsigned widthOfOutput(const llvm::raw_ostream &OS);
/// Does \p OS show colours, and are they wanted (NO_COLOR)?
bool showsColors(llvm::raw_ostream &OS);
/// One page without any reference to the outside.
void writeHtml(const Report &R, llvm::raw_ostream &OS);

} // namespace isozyme

#endif
