//===- LowerBound.h - How small a number may get -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_RULES_LOWERBOUND_H
#define ISOZYME_LIB_RULES_LOWERBOUND_H

#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace isozyme {

/// A number, zero or more, that the floats in \p V are never less than, if they are no nan:
///
///   dx * dx + dy * dy + 0.05    0.05
///   sqrt(x * x)                 0
std::optional<double> lowerBound(const llvm::Value &V);

} // namespace isozyme

#endif
