//===- EntryValues.h - Values of a function, computed elsewhere -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ENTRYVALUES_H
#define ISOZYME_PLAN_ENTRYVALUES_H

#include "isozyme/Prepare/PreparedFunction.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class SCEV;
} // namespace llvm

namespace isozyme {

/// Values of a prepared function that are known at its entry (isKnownAtEntry), computed where \p B
/// inserts from what stands for its parameters.
class EntryValues {
public:
  EntryValues(const PreparedFunction &P, llvm::IRBuilder<> &B,
              llvm::ArrayRef<llvm::Value *> Parameters);
  llvm::Value *of(const llvm::Value *V);
  llvm::Value *of(const llvm::SCEV *S);
  /// The least or the largest of \p Formulas.
  llvm::Value *extreme(llvm::ArrayRef<const llvm::SCEV *> Formulas, bool Largest);

private:
  llvm::Value *chain(const llvm::SCEV *S);
  llvm::IRBuilder<> &B;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Known;
};

} // namespace isozyme

#endif
