//===- VirtualShadows.h - Shadows of functions and their tables --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of a function is the address of a table of its two halves, with the
// activities that the types suggest and a tape that is a pointer. The shadow of a constant
// table of functions, as a class has, is a table of the shadows.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_VIRTUALSHADOWS_H
#define ISOZYME_DRIVER_VIRTUALSHADOWS_H

#include "isozyme/Emit/ReverseEmitter.h"

namespace isozyme {

/// The request for the halves of \p F that types alone suggest (Mode Augment).
DiffRequest defaultRequest(llvm::Function &F);

class VirtualShadows {
public:
  using Halves = llvm::function_ref<llvm::Expected<SplitPair>(llvm::Function &)>;
  VirtualShadows(llvm::Module &M, Halves Make) : M(M), Make(Make) {}

  /// The shadow of a function, or of an address in a constant variable.
  llvm::Expected<llvm::Constant *> of(llvm::Constant &C);

private:
  llvm::Expected<llvm::Constant *> ofFunction(llvm::Function &F);
  llvm::Expected<llvm::Constant *> ofTable(llvm::GlobalVariable &G);
  llvm::Expected<llvm::Constant *> ofContents(llvm::Constant &C);

  llvm::Module &M;
  Halves Make;
};

} // namespace isozyme

#endif
