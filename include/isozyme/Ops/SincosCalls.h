//===- SincosCalls.h - Sine and cosine by one call ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with two results are in no row of the table; Prepare splits them into sin
// and cos (or sinpi and cospi), which are.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_SINCOSCALLS_H
#define ISOZYME_OPS_SINCOSCALLS_H

#include "isozyme/Ops/OpTable.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace isozyme {

struct SincosCall {
  /// Where the results go: sincos(x, s, c); s = __ocml_sincos_f64(x, c);
  /// { s, c } = __sincos_stret(x), llvm.sincospi(x).
  enum Form : uint8_t { Pointers, CosineByPointer, Pair } Results;
  Op Sine, Cosine;
  MathFamily Family;
  FloatSuffix Suffix;
};

/// By the name alone: "sincosf", "__nv_sincospi", "__sincos_stret".
std::optional<SincosCall> parseSincosName(llvm::StringRef Name);
std::optional<SincosCall> sincosCall(const llvm::CallBase &Call);

} // namespace isozyme

#endif
