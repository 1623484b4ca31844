// Floats made by integer arithmetic on bits: signs, roundings by masks, exponents that are added,
// taken out or put in, words of a double, first guesses from bits, pairs in one integer.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "bits.h"
#include "check.h"

union number {
  double d;
  uint64_t u;
  struct {
    uint32_t low, high;
  } w;
};

double signs(double x) {
  union number v = {.d = x};
  v.u &= ~(1ull << 63);
  double y = sin(x);
  double as = ofBits((bitsOf(x * x) & ~(1ull << 63)) | (bitsOf(y) & (1ull << 63)));
  return v.d * ofBits(bitsOf(x) ^ (1ull << 63)) + as * y;
}
/* The product of two sums of a rounded number and what the rounding left. */
double parts(double x) {
  double high = ofBits(bitsOf(x) & 0xfffffffff8000000ull), low = x - high;
  union number v = {.d = x * x};
  v.w.low = 0;
  double rest = x * x - v.d;
  return (high * high + 2 * high * low + low * low) * (v.d + rest);
}
double exponents(double x) {
  double sum = 0;
  for (int k = -2; k < 3; k++)
    sum += ofBits(bitsOf(x * (k + 3)) + ((uint64_t)k << 52)) * x;
  union number v = {.d = x};
  v.w.high += 3 << 20;
  int k = (int)(x * 4);
  return sum + v.d * ofBits((uint64_t)(1023 + k) << 52);
}
/* log(x) = log(m) + e log(2), with m between 1/2 and 1. */
double logarithm(double x) {
  union number v = {.d = x * x};
  int e = (int)(v.w.high >> 20 & 0x7ff) - 1022;
  v.w.high = (v.w.high & 0x800fffff) | 0x3fe00000;
  double z = (v.d - 1) / (v.d + 1), sum = 0;
  for (int i = 41; i > 0; i -= 2)
    sum = sum * z * z + 2.0 / i;
  return sum * z + e * 0.69314718055994530942;
}
/* The exponent is taken off by what the bits have above a threshold; of x only the bits are read. */
double exponentOff(double x) {
  double y = x * x;
  uint64_t bits = bitsOf(y), above = bits - bitsOf(0.7);
  double z = ofBits(bits - (above & 0xfffull << 52)) - 1;
  return z * (1.4 - 0.7 * z) + ((int64_t)above >> 52);
}
double exponentsOff(const double *x) {
  uint64_t bits;
  memcpy(&bits, x, sizeof bits);
  uint64_t above = bits - bitsOf(0.7);
  double z = ofBits(bits - (above & 0xfffull << 52));
  return z * z * x[1] + ((int64_t)above >> 52);
}
/* Newton's steps from a guess: enough of them for the guess not to matter. */
double roots(double x) {
  double a = x * x + 0.1, y = ofBits(0x5fe6eb50c7b537a9ull - (bitsOf(a) >> 1));
  for (int i = 0; i < 5; i++)
    y *= 1.5 - 0.5 * a * y * y;
  union number v = {.d = a};
  v.w.high = v.w.high / 3 + 715094163;
  v.w.low = 0;
  double c = v.d;
  for (int i = 0; i < 5; i++)
    c -= (c * c * c - a) / (3 * c * c);
  return y + c * c;
}
double guesses(double x) {
  double a = x * x + 0.1, y = ofBits(0x5fe6eb50c7b537a9ull - (bitsOf(a) >> 1));
  double e = ofBits((uint64_t)(int64_t)(6497320848556798.0 * x + 0x3fef127e83b16f12ll));
  return y * e;
}
/* Small numbers are scaled first, as a library does with denormals; the guess has two constants. */
double scaledFirst(double x) {
  double y = x * x;
  uint64_t bits = bitsOf(y);
  if (y < 0.5) {
    bits = bitsOf(y * 0x1p52);
    bits -= 52ull << 52;
  }
  uint64_t above = bits - bitsOf(0.7);
  double z = ofBits(bits - (above & 0xfffull << 52)) - 1;
  uint32_t high = bits >> 32 & 0x7fffffff;
  if (x < 0.5) {
    high = (uint32_t)(bitsOf(y * 0x1p54) >> 32 & 0x7fffffff) / 3 + 696219795;
  } else {
    high = high / 3 + 715094163;
  }
  double root = ofBits((uint64_t)high << 32);
  for (int i = 0; i < 5; i++)
    root -= (root * root * root - y) / (3 * root * root);
  return z * (1.4 - 0.7 * z) + ((int64_t)above >> 52) + root;
}
/* Powers of two of whole numbers, which are steps, and chosen ones. */
double powers(double x) {
  double y = x * 3.3, z = sin(x);
  int k = y < 2 ? 1 : (int)y;
  return y * ofBits((uint64_t)(1023 - k) << 52) + ofBits(bitsOf(z) + ((uint64_t)k << 52)) +
         ofBits((bitsOf(y) & 0x7ffull << 52) | (bitsOf(z) & ~(0x7ffull << 52)));
}
double packed(double x) {
  float y = x, z = (float)x * (float)x;
  uint64_t both = (uint64_t)bitsOfFloat(y) | (uint64_t)bitsOfFloat(z) << 32;
  uint64_t turned = both >> 32 | both << 32;
  return floatOfBits((uint32_t)turned) * 2.0 + floatOfBits(turned >> 32) * 3.0;
}
/* A power by the upper word of a double, and logarithms by the bits of a float. */
double power(double x) {
  union number v = {.d = x}, w = {.d = 1.7};
  v.w.high = (int)(1.7 * ((int)v.w.high - 1072632447) + 1072632447);
  w.w.high = (int)(x * ((int)w.w.high - 1072632447) + 1072632447);
  v.w.low = w.w.low = 0;
  return v.d * x + w.d;
}
double logarithms(double x) {
  uint32_t bits = bitsOfFloat(x);
  float m = floatOfBits((bits & 0x007fffff) | 0x3f000000), y = bits, z = (int32_t)bits;
  y *= 1.1920928955078125e-7f;
  y -= 124.22551499f + 1.498030302f * m + 1.72587999f / (0.3520887068f + m);
  return y * x + (z * 8.2629582881927490e-8f - 87.989971088f);
}
double integersOnly(double x) {
  uint64_t hash = bitsOf(x) * 0x9e3779b97f4a7c15ull;
  int sign = bitsOf(x) >> 63, exponent = (int)(bitsOf(x) >> 52 & 0x7ff) - 1023;
  double r = (int64_t)bitsOf(x) > (int64_t)bitsOf(0.25) ? x * x : x;
  uint64_t mask = -(uint64_t)(x > 0.1);
  double chosen = ofBits((bitsOf(x * x) & mask) | (bitsOf(-x) & ~mask));
  return (1 - 2 * sign) * exponent * r * chosen + (hash == 1 ? x : 0);
}

#define TEST(F)                                                                                    \
  for (int i = 0; i < 3; i++) {                                                                    \
    double x = (double[]){0.37, 0.81, 1.43}[i], d = __enzyme_autodiff((void *)F, x);               \
    CHECK(#F, d, SLOPE(x, F(x)));                                                                  \
    CHECK(#F " forward", __enzyme_fwddiff((void *)F, x, 1.0), d);                                  \
  }
/* Functions with small steps: their slope over a distance. */
#define ROUGH_TEST(F)                                                                              \
  for (int i = 0; i < 3; i++) {                                                                    \
    double x = (double[]){0.37, 0.81, 1.43}[i], h = 1e-4, d = __enzyme_autodiff((void *)F, x);     \
    checkWithin(#F, -1, d, (F(x + h) - F(x - h)) / (2 * h), 1e-2, 1e-6);                           \
    checkWithin(#F " forward", -1, __enzyme_fwddiff((void *)F, x, 1.0), d, 1e-6, 1e-6);            \
  }

int main(void) {
  TEST(signs);
  TEST(parts);
  TEST(logarithm);
  TEST(exponentOff);
  TEST(roots);
  TEST(scaledFirst);
  TEST(powers);
  TEST(integersOnly);
  for (int i = 0; i < 3; i++) {
    double x = (double[]){0.37, 0.81, 1.43}[i], h = 1e-5;
    double d = __enzyme_autodiff((void *)exponents, x);
    checkWithin("exponents", -1, d, (exponents(x + h) - exponents(x - h)) / (2 * h), 1e-7, 1e-9);
    CHECK("exponents forward", __enzyme_fwddiff((void *)exponents, x, 1.0), d);
  }
  for (int i = 0; i < 3; i++) {
    double x[2] = {(double[]){0.37, 0.81, 1.43}[i], 0.6}, d[2] = {0};
    __enzyme_autodiff((void *)exponentsOff, x, d);
    CHECK_SLOPES("exponents off", 2, x, d, exponentsOff(x));
    double t[2] = {0.5, -1};
    CHECK_FORWARD("exponents off", __enzyme_fwddiff((void *)exponentsOff, x, t), 2, t, d);
  }
  ROUGH_TEST(guesses);
  ROUGH_TEST(packed);
  for (int i = 0; i < 3; i++) {
    double x = (double[]){0.37, 0.81, 1.43}[i], h = 1e-2;
    double d = __enzyme_autodiff((void *)power, x), e = __enzyme_autodiff((void *)logarithms, x);
    checkWithin("power", -1, d, (power(x + h) - power(x - h)) / (2 * h), 1e-3, 1e-6);
    checkWithin("logarithms", -1, e, (logarithms(x + h) - logarithms(x - h)) / (2 * h), 1e-3, 1e-6);
    CHECK("power forward", __enzyme_fwddiff((void *)power, x, 1.0), d);
    checkWithin("logarithms forward", -1, __enzyme_fwddiff((void *)logarithms, x, 1.0), e, 1e-6,
                1e-6);
  }
  return finish();
}
