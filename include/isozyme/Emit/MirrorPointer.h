//===- MirrorPointer.h - The shadow of a pointer-valued value ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_MIRRORPOINTER_H
#define ISOZYME_EMIT_MIRRORPOINTER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace isozyme {

class PreparedFunction;

/// Maps a value of the prepared function to one of the derivative function.
using ValueLookup = llvm::function_ref<llvm::Value *(llvm::Value *)>;

/// Emits at \p B the shadow, for one lane, of the pointer-valued instruction \p I
/// of the prepared function: GEP, cast, select, freeze, load of a pointer,
/// extract/insert value or element, alloca (placed in the entry block when static; zeroed
/// at the place of the alloca), allocation call (same size, zeroed). Not phis and
/// not calls of user functions. \p Primal and \p Shadow translate operands.
/// Null when \p I is none of these. The same instructions move tangents of floats
/// (and loads of floats from shadow memory), so those may be asked for as well.
llvm::Value *mirrorPointer(llvm::IRBuilderBase &B, const PreparedFunction &P, llvm::Instruction &I,
                           ValueLookup Primal, ValueLookup Shadow);

/// Notes at \p Made, the copy or a shadow of a local record in a derivative, what lies there
/// (StepPlan::contentsOf).
void stateLayout(llvm::StringRef Text, llvm::Instruction &Made);

/// What becomes of the companion of a constant variable.
enum class ShadowUse {
  Zeros,  ///< Forward mode reads it: constant zeros.
  Scratch ///< Reverse mode adds to it, and nobody ever reads the sums.
};

/// One of the shadows of a variable: there is one per lane, and more for derivatives of
/// derivatives (DiffRequest::Level).
struct ShadowIndex {
  unsigned Lane = 0, Level = 0;
};

/// The shadow \p Index of a constant: null, undef, functions and numbers (zero) are
/// their own; so are variables without a shadow. A constant global variable gets a
/// companion whose numbers are zero and whose addresses are shadows again; any other one
/// that is defined here has its `<name>.shadow`.
llvm::Constant *shadowOfConstant(llvm::Constant &C, ShadowUse Use, ShadowIndex Index);

/// `<name>.shadow` of a variable that may change, zero at first; made when missing.
llvm::GlobalVariable *automaticShadow(llvm::GlobalVariable &G, ShadowIndex Index);

} // namespace isozyme

#endif
