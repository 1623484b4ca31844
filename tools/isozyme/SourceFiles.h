//===- SourceFiles.h - Which words are files of which language ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_ISOZYME_SOURCEFILES_H
#define ISOZYME_TOOLS_ISOZYME_SOURCEFILES_H

#include "Commands.h"
#include "Toolchain.h"
#include <optional>

namespace isozyme::driver {

/// The language that the end of the file's name stands for; none: it is no source file.
std::optional<Language> languageOf(llvm::StringRef File);
/// Does one of the C++ files among \p Arguments include the C++ interface of Isozyme itself?
bool includesCxxInterface(Words Arguments);

} // namespace isozyme::driver

#endif
