//===- ResultCheck.h - What a marker call hands back -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of a marker call's result in the order that users see, and whether the
// type they have declared can hold them.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_REQUESTS_RESULTCHECK_H
#define ISOZYME_LIB_REQUESTS_RESULTCHECK_H

#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/ResultLayout.h"

namespace isozyme {

/// A first half whose tape turns out to be empty, and whose declared result has room for one
/// all the same: what stands there means nothing.
bool declaresEmptyTape(const MarkerCall &M, llvm::Type *Tape);

/// The result of \p M as users see it, in full; void when there is nothing. \p Tape: the
/// type of the tape that an augmented call returns, null if it returns none.
///
///   Augment   { [tape], [primal], [shadow] }    else   as the derivative returns it
///
/// A tape by value takes up as many bytes as were announced. A pointer to one is where
/// placeOfTape says.
llvm::Type *handedBack(const MarkerCall &M, llvm::Type *Tape);
/// Which member the tape is. It comes first, unless the declared struct has room for it only
/// elsewhere: { double result; void *tape; }
unsigned placeOfTape(const MarkerCall &M, llvm::Type *Tape);
/// What the user has declared the call to return, directly or in memory.
llvm::Type *declaredResult(const MarkerCall &M);
/// How what is handed back becomes what is declared.
ResultMatch matchDeclared(const MarkerCall &M, llvm::Type *Tape);

/// Error IZ110 if it cannot.
llvm::Error checkResult(const MarkerCall &M, llvm::Type *Tape);
/// Warns of a declared result that stays undefined (IZ110), and of parts that are lost (IZ302).
/// Apart from checkResult, for a call may be read several times and is warned of once.
void lintResult(const MarkerCall &M, llvm::Type *Tape);

} // namespace isozyme

#endif
