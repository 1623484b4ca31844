//===- CallLints.h - Legal calls that are probably mistakes -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_CALLLINTS_H
#define ISOZYME_REQUESTS_CALLLINTS_H

#include "isozyme/Requests/MarkerCalls.h"

namespace isozyme {

/// Warns of what users forget: a shadow that is the primal memory, gradients that nobody
/// takes, a seed or tangents of zero, a shadow that nobody has written before the call.
/// Only of what the calling function shows plainly.
void lintCall(const MarkerCall &M);

/// Warns of a second half that releases a tape, which is not empty, and of another one,
/// or the same one in a loop, that reads it afterwards.
void lintReleasedTape(const MarkerCall &M);

} // namespace isozyme

#endif
