//===- LegalSet.h - What a prepared function consists of --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions that stages after Prepare have to know, declared as a table
// in LegalSet.cpp. What is not in the table is not legal.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PREPARE_LEGALSET_H
#define ISOZYME_PREPARE_LEGALSET_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class Instruction;
} // namespace llvm

namespace isozyme {

/// Empty when \p I is legal, else the rule that it breaks.
llvm::StringRef whyIllegal(const llvm::Instruction &I);

/// Whether \p C is computed from a global variable that may be written, which
/// an instruction that uses \p C then does not show. False for a variable itself.
bool hidesVariable(const llvm::Constant &C);

} // namespace isozyme

#endif
