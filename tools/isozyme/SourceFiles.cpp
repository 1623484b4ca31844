//===- SourceFiles.cpp - Which words are files of which language ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme::driver {

std::optional<Language> languageOf(StringRef File) {
  using Choice = std::optional<Language>;
  return StringSwitch<Choice>(sys::path::extension(File))
      .Cases({".c", ".i", ".ll", ".bc"}, Choice(Language::C))
      .Cases({".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".ii"}, Choice(Language::Cxx))
      .CasesLower({".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18"},
                  Choice(Language::Fortran))
      .Default(std::nullopt);
}

/// A line such as `#include <isozyme/isozyme.hpp>`.
static bool includesCxxInterface(StringRef Line) {
  Line = Line.ltrim();
  if (!Line.consume_front("#") || !(Line = Line.ltrim()).consume_front("include"))
    return false;
  Line = Line.ltrim();
  return (Line.consume_front("<") || Line.consume_front("\"")) && Line.consume_front("isozyme/") &&
         Line.take_until([](char C) { return C == '>' || C == '"'; }).ends_with(".hpp");
}

bool includesCxxInterface(Words Arguments) {
  return any_of(Arguments, [](StringRef File) {
    if (File.starts_with("-") || languageOf(File) != Language::Cxx)
      return false;
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(File, /*IsText=*/true);
    if (!Text)
      return false; // The compiler says so.
    SmallVector<StringRef, 0> Lines;
    (*Text)->getBuffer().split(Lines, '\n');
    return any_of(Lines, [](StringRef Line) { return includesCxxInterface(Line); });
  });
}

} // namespace isozyme::driver
