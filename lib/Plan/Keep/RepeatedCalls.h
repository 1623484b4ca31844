//===- RepeatedCalls.h - Calls that the user wants repeated ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_REPEATEDCALLS_H
#define ISOZYME_PLAN_REPEATEDCALLS_H

#include "isozyme/Prepare/PreparedFunction.h"

namespace isozyme {

/// Why the reverse sweep cannot repeat \p Call, which is marked enzyme_shouldrecompute;
/// empty when it can.
std::string whyNotRepeated(const llvm::CallBase &Call, const PreparedFunction &P);

} // namespace isozyme

#endif
