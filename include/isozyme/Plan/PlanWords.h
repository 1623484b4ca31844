//===- PlanWords.h - A plan in the words of the source -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For people who look at their source, not at IR: values have the names of
// variables, sizes the lines of loops. Shared by remarks and explanations.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_PLANWORDS_H
#define ISOZYME_PLAN_PLANWORDS_H

#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "llvm/ADT/DenseMap.h"

namespace isozyme {

/// As the source says it.
std::string sourceNameOf(const llvm::Function &F);
/// "1 byte * 10"
std::string byteText(uint64_t Bytes, llvm::StringRef Times);
/// "the loop in line 3"; in code of another file with its name.
std::string loopText(const llvm::Function &Original, const llvm::Loop *L);

/// Where \p V is computed, or, for a variable that changes in a loop and for what the
/// optimiser has moved, used. Line 0 is no place.
llvm::DebugLoc placeInSource(const llvm::Value *V);

/// What a pointer with that check does at run time; "" for none.
llvm::StringRef checkSentence(ShadowCheck Check);

class PlanWords {
public:
  explicit PlanWords(const DerivativePlan &Plan);

  /// "'e'", "'k.on'", "the address 'p.shadow'", "which way was taken".
  std::string describe(const Need &N) { return describe(N, "'"); }
  /// With \p Quote around what is code.
  std::string describe(const Need &N, llvm::StringRef Quote);
  /// Does \p V stand for control flow, without a counterpart in the source?
  bool isControl(const llvm::Value &V) const { return ControlValues.contains(&V); }
  /// What the bytes of one value are multiplied with; "" for a value that is there once.
  std::string timesText(const TapeSlot &S) const;
  /// The same for \p Loops, to whose iterations \p Halo is added.
  std::string timesText(llvm::ArrayRef<const llvm::Loop *> Loops,
                        llvm::function_ref<unsigned(const llvm::Loop *)> Halo) const;
  uint64_t bytesOf(const TapeSlot &S) const {
    return Plan.P.function().getDataLayout().getTypeAllocSize(S.Elem);
  }

private:
  std::string describeUnnamed(const llvm::Instruction &I) const;

  const DerivativePlan &Plan;
  SourceText Words;
  /// Values that stand for control flow and have no counterpart in the source.
  llvm::DenseMap<const llvm::Value *, std::string> ControlValues;
};

} // namespace isozyme

#endif
