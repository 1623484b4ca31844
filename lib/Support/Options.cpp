//===- Options.cpp - What the command line may change ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/Options.h"

namespace isozyme {

// Written once, before the first pass runs: several link-time optimisation
// threads may read it.
static Options Current;

const Options &options() { return Current; }
void setOptions(const Options &O) { Current = O; }

} // namespace isozyme
