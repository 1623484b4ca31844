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
struct SimplifyQuery;
} // namespace llvm

namespace isozyme {

/// A number, zero or more, that the floats in \p V are never less than, if they are no nan:
///
///   dx * dx + dy * dy + 0.05          0.05
///   sqrt(x * x)                       0
///   if (r > 0.1) ... r * r            0.01
///
/// \p Q: what holds at the instruction where the value is used.
std::optional<double> lowerBound(const llvm::Value &V, const llvm::SimplifyQuery &Q);

/// The same of the distance from zero, where branches tell it of \p V itself:
///
///   if (fabs(x) > 0.1) ... x          0.1
///   if (x < -0.1) ... x               0.1
std::optional<double> distanceFromZero(const llvm::Value &V, const llvm::SimplifyQuery &Q);

} // namespace isozyme

#endif
