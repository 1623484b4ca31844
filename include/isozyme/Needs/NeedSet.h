//===- NeedSet.h - What the reverse sweep reads ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A need is a part of a value of the prepared function that the reverse sweep
// reads: its primal value, its shadow (pointers), the tape that the augmented
// call it stands for has returned, or, of a store, what was in memory before. The NeedSet lists the
// needs with their first consumer; reading anything else in the reverse sweep is an internal error.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_NEEDS_NEEDSET_H
#define ISOZYME_NEEDS_NEEDSET_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace llvm {
class Value;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class PreparedFunction;

enum class Part : uint8_t { Primal, Shadow, Tape, Overwritten };

struct Need {
  llvm::Value *V = nullptr;
  Part P = Part::Primal;
  bool operator==(const Need &) const = default;
};

/// Who reads a need: what it does, and at which value, either may be absent. Put
/// into words only when printed: to name one value LLVM numbers the whole function.
struct NeedConsumer {
  const char *Role = "";
  const llvm::Value *At = nullptr;
};

/// Every need, in program order of its first consumer, and that consumer.
using NeedSet = llvm::MapVector<Need, NeedConsumer>;

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, Part P);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const NeedConsumer &C);
/// `%x shadow`
void printNeed(llvm::raw_ostream &OS, const Need &N);
/// One line per need and its first consumer.
void printNeeds(const NeedSet &Needs, llvm::raw_ostream &OS);
/// `%x`, `@g`, `i32 3`, `call @f #2`: how the value is called in printed plans.
std::string operandName(const llvm::Value *V);
/// `call @f #2`: the second call of @f among the instructions without a result.
std::string nameWithoutResult(const llvm::Instruction &I, llvm::StringRef Callee);

} // namespace isozyme

template <> struct llvm::DenseMapInfo<isozyme::Need> {
  using Pointers = DenseMapInfo<llvm::Value *>;
  static isozyme::Need getEmptyKey() { return {Pointers::getEmptyKey(), {}}; }
  static isozyme::Need getTombstoneKey() { return {Pointers::getTombstoneKey(), {}}; }
  static unsigned getHashValue(const isozyme::Need &N) {
    return Pointers::getHashValue(N.V) * 3 + unsigned(N.P);
  }
  static bool isEqual(const isozyme::Need &A, const isozyme::Need &B) { return A == B; }
};

#endif
