//===- CalleeEffects.h - What memory a call may access -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not know what lgamma writes, so that a function that calls it may write
// anything. Here math functions write errno at most (Ops), and what that means for the
// functions that call them is found from their bodies, callees first.
//
// In: calls, bodies, attributes.  Out: memory effects that are true of the primal.
// Never: puts attributes on functions.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_CALLEEEFFECTS_H
#define ISOZYME_NEEDS_CALLEEEFFECTS_H

#include "isozyme/Needs/PointerTargets.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/ModRef.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace isozyme {

/// Effects on memory that differentiated code reads: not on errno, or on what only the
/// library knows of.
llvm::ModRefInfo visibleEffects(llvm::MemoryEffects Effects);

/// For the functions of one module. Valid as long as none of them changes.
class CalleeEffects {
public:
  explicit CalleeEffects(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}

  llvm::MemoryEffects of(const llvm::CallBase &Call);
  /// What \p Call does with addresses, by the body of its callee.
  AddressEffects addressesOf(const llvm::CallBase &Call);
  /// What pointers lead to in \p F. \p Own (DiffRequest::Own) must last as long.
  PointerTargets targetsIn(const llvm::Function &F, llvm::ArrayRef<bool> Own = {});
  /// May \p F, or what it calls by name, fill memory (memset)?
  bool fills(const llvm::Function &F);
  /// May what \p Call runs release memory?
  bool releases(const llvm::CallBase &Call);
  void clear() {
    Known.clear();
    Addresses.clear();
    Fills.clear();
    Releases.clear();
  }

private:
  llvm::MemoryEffects now(const llvm::CallBase &Call);
  llvm::MemoryEffects ofBody(const llvm::Function &F);
  void learn(const llvm::Function &F);
  AddressEffects addressesInBody(const llvm::Function &F);

  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, llvm::MemoryEffects> Known;
  llvm::DenseMap<const llvm::Function *, AddressEffects> Addresses;
  llvm::DenseMap<const llvm::Function *, bool> Fills, Releases;
};

} // namespace isozyme

#endif
