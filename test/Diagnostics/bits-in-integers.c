// Bits of floats that are kept as integers, in memory that is declared so, and become floats
// again: the gradient was zero without a word.
// RUN: not %clang -w -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <stdint.h>
#include <string.h>
static uint32_t keyOf(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits ^ (bits >> 31 ? ~0u : 1u << 31);
}
static float ofKey(uint32_t key) {
  float x;
  key ^= key >> 31 ? 1u << 31 : ~0u;
  memcpy(&x, &key, 4);
  return x;
}
static float sortedByBits(const float *x, int n) {
  uint32_t keys[16];
  float sum = 0;
  for (int i = 0; i < n; i++)
    keys[i] = keyOf(x[i]);
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && keys[k] < keys[k - 1]; k--) {
      uint32_t other = keys[k];
      keys[k] = keys[k - 1];
      keys[k - 1] = other;
    }
  for (int i = 0; i < n; i++)
    sum += i * ofKey(keys[i]) * x[0];
  return sum;
}

// What is looked up by the bits, and exponents that are kept, are no floats.
static float lookedUp(const float *x, int n) {
  uint32_t known[16];
  int exponents[16];
  float squares[16], sum = 0;
  for (int i = 0; i < n; i++) {
    known[i] = keyOf(x[i]);
    exponents[i] = (known[i] >> 23 & 255) - 127;
    squares[i] = x[i] * x[i];
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (known[k] == keyOf(x[n - 1 - i])) {
        uint32_t power = (uint32_t)(exponents[k] + 127) << 23;
        float scale;
        memcpy(&scale, &power, 4);
        sum += squares[k] * scale;
        break;
      }
  return sum;
}
float __enzyme_autodiff(void *, ...);
void gradients(const float *x, float *dx, int n) {
  // CHECK: error: the bits of a differentiated float are kept in memory as an integer; keep the float itself there [IZ202]
  __enzyme_autodiff((void *)sortedByBits, x, dx, n);
  __enzyme_autodiff((void *)lookedUp, x, dx, n);
  // CHECK: 1 error generated
}
