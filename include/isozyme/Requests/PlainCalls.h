//===- PlainCalls.h - Entry points that need no derivative -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_PLAINCALLS_H
#define ISOZYME_REQUESTS_PLAINCALLS_H

#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace isozyme {

/// Turns __enzyme_call_inactive(f, ...) into calls of f that are marked inactive and not
/// inlined (until unpinMarked). One error for each that cannot be one, and for each call of
/// __enzyme_iter or of a hint about types that is not one.
llvm::Error lowerInactiveCalls(llvm::Module &M);

/// Turns what is left of __enzyme_iter(n, k) into n. Returns whether there was any.
bool lowerIterations(llvm::Module &M);

/// Turns accesses through pointers of __enzyme_todense(load, store, ...) into calls of these
/// functions. For when all derivatives exist; what failed derivatives would take is left.
llvm::Error lowerTodense(llvm::Module &M);

/// Replaces __enzyme_batch(f, enzyme_width, N, ...) by N calls of f.
llvm::Error lowerBatch(llvm::CallBase &Call);

/// The calls of entry points of that kind.
llvm::SmallVector<llvm::CallBase *, 4> callsOf(llvm::Module &M, EntryPoint Kind);
/// The kind of entry point that \p Call calls; it must call one.
EntryPoint calledKind(const llvm::CallBase &Call);

} // namespace isozyme

#endif
