//===- CustomRules.h - Derivatives that the user has written -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A registered derivative is a function of the user's, for the activities that the types
// of the parameters suggest. Here it is wrapped so that it has the signature that a
// request implies, like a derivative made by Isozyme.
//
//   augmented  params  for each parameter: the value, then a shadow if it has pointers
//              returns the result; or { tape, result }; or, of a result with pointers,
//                      { result, shadow } or { tape, result, shadow }; or the tape alone
//                      when there is no result
//   reverse    params  as augmented, then the seed of a result of floats, then the tape
//              returns the gradient of each parameter of floats, in order
//   split-     params  as forward, then the tape
//   forward    returns the tangent
//   forward    params  for each parameter: the value, then the shadow or tangent
//              returns { result, tangent }, or the result if it carries no derivative
//
// What the signatures mean is read before anything is emitted (Requests/RuleShape).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_CUSTOMRULES_H
#define ISOZYME_EMIT_CUSTOMRULES_H

#include "isozyme/Emit/ReverseEmitter.h"
#include "isozyme/Requests/RuleShape.h"

namespace isozyme {

/// What passes between the halves of a registered reverse derivative, one per lane; null
/// when nothing does.
llvm::Type *customTape(const DiffRequest &R, const RuleShape &S);
/// Fill the halves.
void emitCustomAugment(llvm::Function &Shell, const DiffRequest &R, const RuleShape &S);
void emitCustomFromTape(llvm::Function &Shell, const DiffRequest &R, const RuleShape &S);

/// Fills a forward derivative.
void emitCustomForward(llvm::Function &Shell, const DiffRequest &R, const RuleShape &S);

/// Forward mode from a tape: fill what runs the function and writes to a record, and what
/// reads it; both have the record behind the other parameters.
void emitCustomRecording(llvm::Function &Shell, const DiffRequest &R, const RuleShape &S);
void emitCustomReplay(llvm::Function &Shell, const DiffRequest &R, const RuleShape &S);

/// Fills a combined derivative that runs one half after the other.
void emitCombined(llvm::Function &Shell, const DiffRequest &R, const SplitPair &Pair);

} // namespace isozyme

#endif
