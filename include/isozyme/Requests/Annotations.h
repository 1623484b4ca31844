//===- Annotations.h - Reads what a module says of its functions -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside calls, Enzyme's surface has declarations about functions: variables such
// as __enzyme_register_gradient_f, and clang's annotations such as enzyme_inactive.
// All become the attributes and metadata of Ops/Markings, which later stages read.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_ANNOTATIONS_H
#define ISOZYME_REQUESTS_ANNOTATIONS_H

#include "isozyme/Support/Diagnostics.h"

namespace llvm {
class Module;
} // namespace llvm

namespace isozyme {

/// Does \p M hold anything that applyAnnotations would read? Cheap.
bool hasAnnotations(const llvm::Module &M);

/// Marks functions and variables. Returns one error (IZ115) for each declaration that
/// cannot be read, at the variable. Doing it again changes nothing.
llvm::Error applyAnnotations(llvm::Module &M);

/// Erases the registration variables that nothing else uses.
void eraseRegistrations(llvm::Module &M);
/// Marks them as used, so that the linker hands them on.
void keepRegistrations(llvm::Module &M);

/// On a function: how it was before it was pinned (its linkage, and whether it was to be
/// inlined). On a call: it was made noinline.
constexpr llvm::StringLiteral PinnedAttribute = "isozyme-pinned";

/// Keeps the optimiser from inlining or seeing through functions whose calls mean more
/// than their body, until unpinMarked. Returns whether anything changed.
bool pinMarked(llvm::Module &M);
void unpinMarked(llvm::Module &M);

} // namespace isozyme

#endif
