//===- SourceFiles.cpp - The text of what was compiled --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace isozyme {

const std::vector<std::string> &SourceFiles::linesOf(const DIFile &File) {
  SmallString<128> Path(File.getFilename());
  if (sys::path::is_relative(Path)) {
    Path = File.getDirectory();
    sys::path::append(Path, File.getFilename());
  }
  auto [It, IsNew] = Files.try_emplace(Path);
  if (!IsNew)
    return It->second;
  std::unique_ptr<MemoryBuffer> Read;
  StringRef Text;
  if (std::optional<StringRef> Embedded = File.getSource()) {
    Text = *Embedded;
  } else if (auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true)) {
    Read = std::move(*Buffer);
    Text = Read->getBuffer();
  }
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    It->second.push_back(Line.rtrim('\r').str());
  }
  return It->second;
}

namespace {
/// Counts braces outside strings, characters and comments.
class BraceCounter {
public:
  /// True when the braces that were opened are closed on this line.
  bool read(StringRef Line);

private:
  int Open = 0;
  bool Any = false, InComment = false;
};
} // namespace

bool BraceCounter::read(StringRef Line) {
  char Quote = 0;
  for (size_t I = 0; I < Line.size(); ++I) {
    char C = Line[I], Next = I + 1 < Line.size() ? Line[I + 1] : 0;
    if (InComment) {
      InComment = !(C == '*' && Next == '/');
      continue;
    }
    if (Quote) {
      if (C == '\\')
        ++I;
      else if (C == Quote)
        Quote = 0;
      continue;
    }
    if (C == '/' && Next == '/')
      break;
    // A quote between digits separates them.
    bool IsSeparator = C == '\'' && I && isAlnum(Line[I - 1]) && isAlnum(Next);
    if (C == '/' && Next == '*')
      InComment = true;
    else if (C == '"' || (C == '\'' && !IsSeparator))
      Quote = C;
    else if (C == '{')
      ++Open, Any = true;
    else if (C == '}')
      --Open;
  }
  return Any && Open <= 0;
}

unsigned SourceFiles::lastLine(const DIFile &File, unsigned First, unsigned AtLeast) {
  const std::vector<std::string> &Lines = linesOf(File);
  BraceCounter Braces;
  for (unsigned Number = First; Number && Number <= Lines.size(); ++Number)
    if (Braces.read(Lines[Number - 1]))
      return std::max(Number, AtLeast);
  return AtLeast;
}

} // namespace isozyme
