//===- IndirectCalls.h - Calls through pointers as direct calls --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function a pointer leads to is often known, and else is mostly one of a few:
//
//   r = call %fp(x)   ->   if (%fp == @f) r = call @f(x)
//                          else if (%fp == @g) r = call @g(x)
//                          else r = call %fp(x)          ; "isozyme-unlisted"
//
// To every analysis these are calls like any other. The whole of what is
// differentiated has to have this form, callees of callees included, for a summary
// of a function is made of its body. But the user's program keeps what its author
// wrote: bodies are exchanged for the time being, and put back.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_INDIRECTCALLS_H
#define ISOZYME_PREPARE_INDIRECTCALLS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace isozyme {

class CallTargets;

/// Calls functions by their own names where \p M calls them by other names (aliases), if no other
/// file can give either name another meaning. True if there were such calls.
bool callByOwnNames(llvm::Module &M);

/// Of more functions than this no chain is made: it would be searched at every call.
constexpr unsigned MaxCandidates = 64;

class IndirectCalls {
public:
  /// Resolves the calls in \p Roots and in everything with a body that these refer to.
  /// \p Callbacks: library functions that call back become ordinary code, too. The code
  /// is to be simplified no more then: copies of elements would become integers.
  IndirectCalls(llvm::Module &M, llvm::SetVector<llvm::Function *> Roots, bool Callbacks);
  ~IndirectCalls() { putBack(); }
  IndirectCalls(const IndirectCalls &) = delete;

  /// The functions that have another body now.
  llvm::ArrayRef<llvm::Function *> changed() const { return Changed; }
  /// Gives these their own body again. (Marker calls are replaced in both bodies.)
  void putBack();

private:
  void resolveIn(llvm::Function &F, CallTargets &Targets, bool Callbacks, bool IsCertain);

  llvm::SmallVector<llvm::Function *, 4> Changed;
  llvm::SmallVector<llvm::Function *, 4> Holders; ///< Of the user's bodies; parallel.
};

} // namespace isozyme

#endif
