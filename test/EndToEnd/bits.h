/*===- bits.h - Floats as integers, and back ----------------------*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C and C++. For programs that compute with the bits of floats, or keep them in
 * memory that is declared as integers.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_TEST_BITS_H
#define ISOZYME_TEST_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t bitsOf(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double ofBits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint32_t bitsOfFloat(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float floatOfBits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif
