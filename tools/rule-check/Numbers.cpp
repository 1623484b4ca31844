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
    {"float", "f32", "float", 1, 4, 0x1p-23},
    {"double", "f64", "double", 1, 8, 0x1p-52},
    {"x86_fp80", "f80", "x86_fp80", 1, 16, 0x1p-63},
    {"<4 x float>", "v4f32", "float", 4, 4, 0x1p-23},
    {"<4 x half>", "v4f16", "half", 4, 2, 0x1p-10},
    {"<4 x double>", "v4f64", "double", 4, 8, 0x1p-52},
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

Wide readHalf(const char *At) {
  uint16_t Bits;
  std::memcpy(&Bits, At, sizeof Bits);
  APFloat V(APFloat::IEEEhalf(), APInt(16, Bits));
  bool Inexact;
  V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Inexact);
  return V.convertToDouble();
}

void writeHalf(char *At, Wide V) {
  APFloat Narrow(static_cast<double>(V));
  bool Inexact;
  Narrow.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Inexact);
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
    return readHalf(P);
  case NumberType::Float:
  case NumberType::Float4:
    return readAs<float>(P);
  case NumberType::Double:
  case NumberType::Double4:
    return readAs<double>(P);
  case NumberType::Extended:
    return readAs<Wide>(P);
  }
  return 0;
}

void writeElement(NumberType T, void *At, unsigned E, Wide V) {
  char *P = static_cast<char *>(At) + E * numberInfo(T).Stride;
  switch (T) {
  case NumberType::Half:
  case NumberType::Half4:
    return writeHalf(P, V);
  case NumberType::Float:
  case NumberType::Float4:
    return writeAs<float>(P, V);
  case NumberType::Double:
  case NumberType::Double4:
    return writeAs<double>(P, V);
  case NumberType::Extended:
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
