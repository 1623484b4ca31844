//===- KnownCalls.h - Library functions that move no derivative --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing, strings, time, the environment, C++ streams: functions that neither
// read nor write numbers that anyone differentiates. Also who allocates and who
// frees. Functions that put numbers into memory (scanf, fread) are not here.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_KNOWNCALLS_H
#define ISOZYME_OPS_KNOWNCALLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class CallBase;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace isozyme {

/// A function of the C library, by exact name.
bool isInactiveLibraryName(llvm::StringRef Name);
/// A function of the C++ library (streams, strings, locales, ...) or of Fortran's or Rust's
/// run time, by the start of its symbol.
bool isInactiveRuntimeName(llvm::StringRef Symbol);
/// An intrinsic that is a hint or a marker.
bool isInactiveIntrinsic(llvm::Intrinsic::ID Id);
/// All of the above, for a call; a function of the user's with the name of a C
/// function is not one.
bool isKnownInactive(const llvm::CallBase &CB);

/// Returns fresh memory: malloc, calloc, aligned_alloc, operator new, allockind("alloc").
/// Not realloc, which keeps contents.
bool isAllocation(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The operands that say how many bytes an allocation has: Bytes, times Count if there
/// is one.
struct AllocationSize {
  unsigned Bytes;
  std::optional<unsigned> Count;
  bool Zeroed; ///< The memory is zero from the start (calloc).
};
/// Nothing when \p CB is no allocation, or one whose size its operands do not tell.
std::optional<AllocationSize> allocationSize(const llvm::CallBase &CB,
                                             const llvm::TargetLibraryInfo &TLI);
/// Resizes memory: realloc and the like.
bool isReallocation(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);
/// The pointer that a call frees; null when it frees nothing.
llvm::Value *freedPointer(const llvm::CallBase &CB, const llvm::TargetLibraryInfo &TLI);

} // namespace isozyme

#endif
