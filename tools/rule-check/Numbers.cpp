//===- Numbers.cpp - Types under test and their bytes ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Numbers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <cfloat>
#include <cstring>
#include <iterator>

using namespace llvm;

namespace rulecheck {

namespace {

constexpr NumberInfo Infos[] = {
    {"half", "f16", "half", 1, 2, 0x1p-10},
    {"bfloat", "bf16", "bfloat", 1, 2, 0x1p-7},
    {"float", "f32", "float", 1, 4, 0x1p-23},
    {"double", "f64", "double", 1, 8, 0x1p-52},
    {"x86_fp80", "f80", "x86_fp80", 1, 16, 0x1p-63},
    {"<4 x float>", "v4f32", "float", 4, 4, 0x1p-23},
    {"<4 x half>", "v4f16", "half", 4, 2, 0x1p-10},
    {"<4 x double>", "v4f64", "double", 4, 8, 0x1p-52},
    {"<2 x float>", "v2f32", "float", 2, 4, 0x1p-23},
    {"<2 x double>", "v2f64", "double", 2, 8, 0x1p-52},
    {"<2 x x86_fp80>", "v2f80", "x86_fp80", 2, 16, 0x1p-63},
};

template <typename T> Wide readAs(const char *At) {
  T V;
  std::memcpy(&V, At, sizeof V);
  return V;
}

template <typename T> void writeAs(char *At, Wide V) {
  T Narrow = static_cast<T>(V);
  std::memcpy(At, &Narrow, sizeof Narrow);
}

Wide readHalf(const fltSemantics &Format, const char *At) {
  uint16_t Bits;
  std::memcpy(&Bits, At, sizeof Bits);
  APFloat V(Format, APInt(16, Bits));
  bool Inexact;
  V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Inexact);
  return V.convertToDouble();
}

void writeHalf(const fltSemantics &Format, char *At, Wide V) {
  APFloat Narrow(static_cast<double>(V));
  bool Inexact;
  Narrow.convert(Format, APFloat::rmNearestTiesToEven, &Inexact);
  auto Bits = static_cast<uint16_t>(Narrow.bitcastToAPInt().getZExtValue());
  std::memcpy(At, &Bits, sizeof Bits);
}

} // namespace

const NumberInfo &numberInfo(NumberType T) { return Infos[static_cast<unsigned>(T)]; }

Wide readElement(NumberType T, const void *At, unsigned E) {
  const char *P = static_cast<const char *>(At) + E * numberInfo(T).Stride;
  switch (T) {
  case NumberType::Half:
  case NumberType::Half4:
    return readHalf(APFloat::IEEEhalf(), P);
  case NumberType::BFloat:
    return readHalf(APFloat::BFloat(), P);
  case NumberType::Float:
  case NumberType::Float4:
  case NumberType::ComplexFloat:
    return readAs<float>(P);
  case NumberType::Double:
  case NumberType::Double4:
  case NumberType::ComplexDouble:
    return readAs<double>(P);
  case NumberType::Extended:
  case NumberType::ComplexExtended:
    return readAs<Wide>(P);
  }
  return 0;
}

void writeElement(NumberType T, void *At, unsigned E, Wide V) {
  char *P = static_cast<char *>(At) + E * numberInfo(T).Stride;
  switch (T) {
  case NumberType::Half:
  case NumberType::Half4:
    return writeHalf(APFloat::IEEEhalf(), P, V);
  case NumberType::BFloat:
    return writeHalf(APFloat::BFloat(), P, V);
  case NumberType::Float:
  case NumberType::Float4:
  case NumberType::ComplexFloat:
    return writeAs<float>(P, V);
  case NumberType::Double:
  case NumberType::Double4:
  case NumberType::ComplexDouble:
    return writeAs<double>(P, V);
  case NumberType::Extended:
  case NumberType::ComplexExtended:
    return writeAs<Wide>(P, V);
  }
}

Wide roundTo(NumberType T, Wide V) {
  alignas(16) char Buffer[64];
  writeElement(T, Buffer, 0, V);
  return readElement(T, Buffer, 0);
}

StringRef wideIRType() {
  return LDBL_MANT_DIG == 64 ? "x86_fp80" : LDBL_MANT_DIG == 113 ? "fp128" : "double";
}

bool hasExtended() { return LDBL_MANT_DIG == 64; }

} // namespace rulecheck
