//===- MarkerNames.h - The words of Enzyme's calling convention --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only tables of entry points (__enzyme_autodiff, ...) and of markers
// (enzyme_dup, ...). Names are looked at here and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_MARKERNAMES_H
#define ISOZYME_REQUESTS_MARKERNAMES_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isozyme {

enum class EntryPoint : uint8_t {
  Autodiff,       ///< Reverse mode, primal and gradient in one call.
  Fwddiff,        ///< Forward mode.
  Dependence,     ///< The same, with masks in the place of tangents.
  Augmentfwd,     ///< The forward half of a split reverse derivative: returns a tape.
  Augmentsize,    ///< The number of bytes of that tape.
  Reverse,        ///< The reverse half, from a tape.
  Fwdsplit,       ///< Forward mode, from a tape.
  VirtualReverse, ///< The shadow of a function or of a table of functions.
  Batch,          ///< A function for several values of its arguments.
  CallInactive,   ///< A call that carries no derivative.
  Todense,        ///< A pointer whose accesses are calls.
  Iter,           ///< A number that counts how often the code around it is differentiated.
  NotSupported,   ///< Known from Enzyme, not in this release.
};

/// Is \p Name, of a function or a variable, one by which a program speaks to Isozyme? All
/// entry points, registrations and hints are.
bool isConventionName(llvm::StringRef Name);

/// The entry point that a function's name stands for. Users may add anything
/// before and after (their own suffixes, C++ mangling); the first match counts.
std::optional<EntryPoint> entryPoint(llvm::StringRef FunctionName);
/// The entry point that a function's name nearly has; empty if it has one, or is near to none.
llvm::StringRef nearestEntryPoint(llvm::StringRef FunctionName);
/// The part of \p FunctionName that makes it an entry point: "__enzyme_batch".
llvm::StringRef entryPointText(llvm::StringRef FunctionName);

enum class Marker : uint8_t {
  Const,
  Dup,
  DupNoNeed,
  Out,
  DupStrided,
  DupNoNeedStrided,
  NotOverwritten,
  Unshared,
  ByRef,
  Width,
  PrimalReturn,
  NoReturn,
  ConstReturn,
  ActiveReturn,
  DupReturn,
  StrongZero,
  RuntimeActivity,
  Interleave,
  Allocated,
  Tape,
  NoFree,
  Scalar,
  Vector,
  Buffer,
  NotSupported, ///< Known from Enzyme, not in this release.
};

/// Does a variable of this name take part in the calling convention?
bool isMarkerName(llvm::StringRef Name);
/// The marker of exactly this name.
std::optional<Marker> markerByName(llvm::StringRef Name);
/// The known marker that \p Name probably was meant to be; empty if none is near.
llvm::StringRef nearestMarkerName(llvm::StringRef Name);

} // namespace isozyme

#endif
