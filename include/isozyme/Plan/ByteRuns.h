//===- ByteRuns.h - What lies in the bytes of a copy or fill -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_BYTERUNS_H
#define ISOZYME_PLAN_BYTERUNS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class MemIntrinsic;
class Type;
class raw_ostream;
} // namespace llvm

namespace isozyme {

struct MemoryLayout;
class TypeResult;

/// Bytes that a derivative treats alike.
struct ByteRun {
  enum Kind : uint8_t {
    Others,    ///< They have no derivative.
    Floats,    ///< Moved by type: derivatives are added and set to zero.
    Addresses, ///< Their shadows are copied as they are.
    Either,    ///< Floats or addresses. Where they are set to zero, so are their shadows in both
               ///< sweeps. A word that is copied is a double or an address, as its shadow tells.
  };
  uint64_t Offset = 0, Size = 0;
  Kind K = Others;
  llvm::Type *Float = nullptr; ///< Floats: the scalar type.

  bool maybe(Kind Wanted) const { return K == Wanted || (K == Either && Wanted != Others); }
};

/// The runs of a period of bytes, sorted and without gaps; they repeat. Period 0: nothing is
/// known, or asked.
struct ByteRuns {
  uint64_t Period = 0;
  llvm::SmallVector<ByteRun, 2> Runs;

  ByteRuns() = default;
  explicit ByteRuns(const MemoryLayout &L);
  /// Whatever is set to zero in memory whose shadow holds no derivative yet.
  static ByteRuns either();
  /// Each word is a double, or else an address.
  static ByteRuns words();
  /// Do words tell when the program runs what they are?
  bool hasWords() const {
    return Period > 1 &&
           llvm::any_of(Runs, [](const ByteRun &R) { return R.K == ByteRun::Either; });
  }
  /// Are there such bytes, or such as may be?
  bool has(ByteRun::Kind K) const {
    return llvm::any_of(Runs, [K](const ByteRun &R) { return R.maybe(K); });
  }
  /// True, and an explanation in \p OS, when runs overlap, or leave a gap.
  bool verify(llvm::raw_ostream &OS) const;
  /// `per 16 bytes: 8 of double, 8 of addresses`
  void print(llvm::raw_ostream &OS) const;
};

/// What \p M moves, or sets to zero, if there are words among it that may be doubles or else
/// addresses, or integers: which of these they are is seen in their shadows.
std::optional<ByteRuns> runsOfWords(const llvm::MemIntrinsic &M, const TypeResult &Types);

/// Notes such words at the copies and fills in \p F, which is prepared, see BulkNotes.h.
void noteBulkWords(llvm::Function &F, const TypeResult &Types);

} // namespace isozyme

#endif
