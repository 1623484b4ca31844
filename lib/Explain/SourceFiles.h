//===- SourceFiles.h - The text of what was compiled -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_SOURCEFILES_H
#define ISOZYME_LIB_EXPLAIN_SOURCEFILES_H

#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace llvm {
class DIFile;
} // namespace llvm

namespace isozyme {

/// Source files that debug information names, each read once. Empty where a file is not
/// there any more.
class SourceFiles {
public:
  /// Line 1 is at index 0.
  const std::vector<std::string> &linesOf(const llvm::DIFile &File);
  /// The last line of the function that begins at \p First: where its braces close, or, in
  /// a language without, \p AtLeast.
  unsigned lastLine(const llvm::DIFile &File, unsigned First, unsigned AtLeast);

private:
  llvm::StringMap<std::vector<std::string>> Files;
};

} // namespace isozyme

#endif
