//===- Numbers.h - Types under test and their bytes --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_RULECHECK_NUMBERS_H
#define ISOZYME_TOOLS_RULECHECK_NUMBERS_H

#include "llvm/ADT/StringRef.h"

namespace rulecheck {

/// The widest float of the host; finite differences are taken in it.
using Wide = long double;

enum class NumberType : uint8_t {
  Half,
  BFloat,
  Float,
  Double,
  Extended,
  Float4,
  Half4,
  Double4,
  ComplexFloat, ///< Two elements: the real and the imaginary part.
  ComplexDouble,
  ComplexExtended
};

struct NumberInfo {
  llvm::StringLiteral IR;      ///< "<4 x float>"
  llvm::StringLiteral Mangled; ///< "v4f32"
  llvm::StringLiteral Scalar;  ///< "float"
  unsigned Elements;
  unsigned Stride; ///< Bytes from element to element.
  double Epsilon;  ///< Distance from 1 to the next number.
};

const NumberInfo &numberInfo(NumberType T);
inline bool isComplex(NumberType T) { return T >= NumberType::ComplexFloat; }

/// Element \p E of the value at \p At.
Wide readElement(NumberType T, const void *At, unsigned E);
void writeElement(NumberType T, void *At, unsigned E, Wide V);
/// \p V rounded to the type.
Wide roundTo(NumberType T, Wide V);

/// What `long double` is called in IR on this host: x86_fp80, fp128 or double.
llvm::StringRef wideIRType();
/// The type of the same values in IR, for tests: Extended exists on x86 only.
bool hasExtended();

} // namespace rulecheck

#endif
