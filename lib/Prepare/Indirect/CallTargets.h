//===- CallTargets.h - Which functions a pointer can lead to -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First by following the pointer back: through choices, tables that nobody changes,
// and parameters of functions whose callers are all here. Where that search fails, the
// answer is the functions of the module whose address is taken and whose type is that of
// the call; then the answer may be incomplete. It has virtual functions only for calls
// through their slot, and functions whose address only goes to other calls not at all.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_CALLTARGETS_H
#define ISOZYME_LIB_PREPARE_CALLTARGETS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
} // namespace llvm

namespace isozyme {

class CallTargets {
public:
  explicit CallTargets(llvm::Module &M) : M(M) {}

  struct Answer {
    llvm::SmallVector<llvm::Function *, 4> Functions; ///< Each fits the call.
    bool Complete = false;                            ///< There can be no other.
  };
  Answer of(const llvm::CallBase &Call);

private:
  llvm::ArrayRef<llvm::Function *> byType(llvm::FunctionType *T);

  llvm::Module &M;
  bool Collected = false; ///< Most modules never ask.
  llvm::DenseMap<llvm::FunctionType *, llvm::SmallVector<llvm::Function *, 4>> AddressTaken;
};

} // namespace isozyme

#endif
