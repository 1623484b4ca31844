//===- CodeCopy.h - A function copied with all that it calls -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check runs copies of the user's functions beside a derivative. The copies call each
// other, and have none of the attributes and marks that the user gave to the originals.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_CHECK_CODECOPY_H
#define ISOZYME_LIB_CHECK_CODECOPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

struct CodeCopy {
  llvm::Function *Root = nullptr;
  /// What was copied, and the copy. The root may be there twice: others may call it too.
  llvm::SmallVector<std::pair<llvm::Function *, llvm::Function *>, 8> All;
};

/// \p Code: \p Root and all functions with a body that are called from there.
CodeCopy copyCode(llvm::Function &Root, llvm::ArrayRef<llvm::Function *> Code,
                  llvm::StringRef Suffix);

/// Calls among the copies that pass structures by value make a copy of their own, and pass
/// its address: the same to the callee, and visible to those who watch it.
void spellOutCopies(const CodeCopy &Copy);

} // namespace isozyme

#endif
