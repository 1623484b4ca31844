//===- SourceFile.cpp - From a source file to LLVM IR ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>
#include <optional>

using namespace llvm;

namespace isozyme::jit {

static Error failure(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

/// Beside this library, in the build tree as when installed.
static std::string commandFile() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&commandFile), &Info))
    return {};
  SmallString<128> Path;
  if (sys::fs::real_path(Info.dli_fname, Path))
    return {};
  sys::path::remove_filename(Path);
  sys::path::append(Path, ISOZYME_COMMAND_FROM_LIBRARY);
  return Path.str().str();
}

static std::string contentOf(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  return Text ? (*Text)->getBuffer().str() : std::string();
}

Expected<std::unique_ptr<MemoryBuffer>> compileSource(const char *Path,
                                                      const char *const *Arguments) {
  SmallString<128> Made, Said;
  if (sys::fs::createTemporaryFile("isozyme", "bc", Made) ||
      sys::fs::createTemporaryFile("isozyme", "txt", Said))
    return failure("no file can be written to the folder for temporary files");
  FileRemover RemoveMade(Made), RemoveSaid(Said);
  std::string Command = commandFile();
  bool IsC = sys::path::extension(Path) == ".c";
  SmallVector<StringRef, 16> Words = {Command, IsC ? "cc" : "c++", "-O2"};
  for (; Arguments && *Arguments; ++Arguments)
    Words.push_back(*Arguments);
  Words.append({"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", Path, "-o", Made});
  std::optional<StringRef> Redirects[] = {StringRef(), Said.str(), Said.str()};
  std::string Problem;
  int Status = sys::ExecuteAndWait(Command, Words, std::nullopt, Redirects, 0, 0, &Problem);
  if (Status)
    return failure(Problem.empty() ? contentOf(Said) : "'" + Command + "': " + Problem);
  ErrorOr<std::unique_ptr<MemoryBuffer>> IR = MemoryBuffer::getFile(Made);
  if (!IR)
    return failure("the compiler has written nothing");
  return std::move(*IR);
}

} // namespace isozyme::jit
