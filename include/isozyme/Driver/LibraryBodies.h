//===- LibraryBodies.h - Bodies of functions in shared libraries -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_LIBRARYBODIES_H
#define ISOZYME_DRIVER_LIBRARYBODIES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace isozyme {

/// While it lives, the functions that \p M declares and of which Isozyme has a body (those
/// that link the nodes of std::map, std::set and std::list in libstdc++) have it, so that
/// derivatives can be made of them. Afterwards the program calls the library as before.
class LibraryBodies {
public:
  LibraryBodies(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);
  ~LibraryBodies();
  LibraryBodies(const LibraryBodies &) = delete;
  LibraryBodies &operator=(const LibraryBodies &) = delete;

private:
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<llvm::Function *, 8> Lent;
  llvm::SetVector<llvm::Function *> Helpers; ///< What only bodies call.
};

} // namespace isozyme

#endif
