//===- UserCode.cpp - Which lines are the user's --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace isozyme {

bool isOurHeader(StringRef Path) {
  return Path.contains("isozyme/cxx/") || Path.ends_with("isozyme/isozyme.hpp") ||
         Path.ends_with("enzyme/enzyme") || Path.ends_with("enzyme/utils");
}

/// Where compilers and systems keep headers. Homes of users may be below /usr, too.
static bool isInSystemFolder(StringRef Path) {
  return any_of(ArrayRef<StringLiteral>{"/usr/include/", "/usr/local/include/", "/usr/lib/",
                                        "/opt/homebrew/"},
                [&](StringRef Folder) { return Path.starts_with(Folder); }) ||
         any_of(ArrayRef<StringLiteral>{"/include/c++/", "/c++/v1/", "/lib/clang/", "/lib/gcc/",
                                        ".platform/Developer/SDKs/"},
                [&](StringRef Folder) { return Path.contains(Folder); });
}

bool isLibraryFile(StringRef Path) { return isOurHeader(Path) || isInSystemFolder(Path); }

bool isLibraryCode(const DILocation &Loc) { return isInSystemFolder(Loc.getFilename()); }

bool isLibraryCode(const Function &F) {
  if (F.hasFnAttribute(LentBodyMark))
    return true;
  if (const DISubprogram *Source = F.getSubprogram())
    return isInSystemFolder(Source->getFilename());
  StringRef Name = F.getName();
  if (!Name.consume_front("_Z"))
    return false;
  Name.consume_front("N");
  Name.consume_front("K");
  // std, std::allocator, std::string and so on have letters of their own.
  return (Name.size() > 1 && Name[0] == 'S' && StringRef("tabsiod").contains(Name[1])) ||
         Name.starts_with("9__gnu_cxx") || Name.starts_with("11__gnu_debug") ||
         Name.starts_with("5Eigen");
}

const DILocation *userLocation(const DILocation *Loc) {
  while (Loc && isOurHeader(Loc->getFilename()) && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return Loc;
}

const DILocation *lineOfUser(const DILocation *Loc) {
  while (Loc && isLibraryFile(Loc->getFilename()) && Loc->getInlinedAt())
    Loc = Loc->getInlinedAt();
  return Loc;
}

} // namespace isozyme
