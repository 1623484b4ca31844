//===- LibraryBodies.h - Bodies of functions in shared libraries -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_LIBRARYBODIES_H
#define ISOZYME_DRIVER_LIBRARYBODIES_H

#include "isozyme/Driver/FortranBodies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace isozyme {

/// While it lives, the functions that \p M declares and of which Isozyme has a body (those
/// that link the nodes of std::map, std::set and std::list in libstdc++, and those of flang's
/// run-time library that work on arrays) have it, so that
/// derivatives can be made of them. Afterwards the program calls the library as before.
class LibraryBodies {
public:
  LibraryBodies(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);
  ~LibraryBodies();
  LibraryBodies(const LibraryBodies &) = delete;
  LibraryBodies &operator=(const LibraryBodies &) = delete;

private:
  void lend(llvm::StringRef Bitcode, llvm::Module &M);
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<llvm::Function *, 8> Lent;
  /// Of the declarations: what holds for a body need not hold for the function of the library.
  llvm::DenseMap<llvm::Function *, llvm::AttributeList> Declared;
  llvm::SetVector<llvm::Function *> Helpers; ///< What only bodies call.
  std::optional<FortranBodies> Fortran;
};

} // namespace isozyme

#endif
