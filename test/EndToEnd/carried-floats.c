// Pairs of floats that move as one double: unions whose first member is a double, passed, returned,
// chosen and copied, unions of a vector and its elements, and intrinsics of x86 that load and shuffle
// pairs of floats as doubles, and doubles as pairs of floats. The sum of two adjoints of such a
// double is not that of the floats: gradients were wrong.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "bits.h"
#include "check.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

union pair {
  double d;
  float f[2];
};

__attribute__((noinline)) static float use(union pair v, int k) {
  return k ? v.f[0] * v.f[1] : v.f[1] * v.f[1];
}
__attribute__((noinline)) static union pair make(float a, float b, int turned) {
  union pair v;
  v.f[turned] = a;
  v.f[!turned] = b;
  return v;
}
__attribute__((noinline)) static void put(union pair *to, union pair *too, union pair v) {
  *to = v;
  *too = v;
}
double handedOn(double x) {
  union pair v = make(x, x * x, 0), w = make(x, x * x, 1), q[3] = {v, w, v};
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += use(q[i], i == 1) * (i + 1) + use(q[i], 0) + use(q[i], 1);
  return sum + v.f[0] * w.f[0];
}
double copied(double x) {
  union pair v, a[2];
  v.f[0] = x;
  v.f[1] = x * x;
  put(a, a + 1, v);
  return use(a[0], 1) + 2 * use(a[1], 1) + v.f[0];
}
/* Which of two members is in a place is known only when the program runs. */
struct either {
  int isDouble;
  union {
    double d;
    float f;
  };
};
__attribute__((noinline)) static double valueOf(const struct either *e) {
  return e->isDouble ? e->d * e->d : e->f * e->f * 2;
}
double ofEither(double x) {
  struct either e[2] = {{1, {.d = x}}, {0, {.f = x}}};
  return valueOf(e) + x * valueOf(e + 1);
}

#if defined(__x86_64__)
float loaded(const float *p) {
  float sum = 0, o[4];
  for (int i = 0; i < 8; i += 2) {
    __m128 a = _mm_castpd_ps(_mm_load_sd((const double *)(p + i)));
    a = _mm_shuffle_ps(a, a, 0x50);
    _mm_storeu_ps(o, _mm_mul_ps(a, a));
    sum += o[0] + o[1] * 2 + o[2] + 3 * o[3] + p[i] * p[i + 1];
  }
  return sum;
}
float shuffled(const float *p) {
  __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4);
  __m128 low = _mm_castpd_ps(_mm_unpacklo_pd(_mm_castps_pd(a), _mm_castps_pd(b)));
  __m128 high = _mm_castpd_ps(_mm_unpackhi_pd(_mm_castps_pd(a), _mm_castps_pd(b)));
  float o[4];
  a = _mm_mul_ps(_mm_mul_ps(low, high), low);
  _mm_storeu_ps(o, a);
  _mm_storel_pd((double *)o, _mm_castps_pd(a));
  return o[0] + 2 * o[1] + 3 * o[2] + 4 * o[3];
}
float chosen(const float *p) {
  float o[8], sum = 0;
  __m128d a = _mm_load_sd((const double *)p), b = _mm_load_sd((const double *)(p + 2));
  if (p[4] > 0)
    a = b;
  _mm_storel_pd((double *)o, a);
  _mm_storel_pd((double *)(o + 2), a);
  _mm_storeu_pd((double *)(o + 4), _mm_unpacklo_pd(a, b));
  for (int i = 0; i < 8; i++)
    sum += o[i] * o[i] * (i + 1);
  return sum + p[0] * p[3];
}
/* A union of a vector and its elements is passed as two doubles. */
union four {
  __m128 v;
  float f[4];
};
__attribute__((noinline)) union four combined(union four a, union four b) {
  union four r;
  r.v = _mm_add_ps(a.v, _mm_mul_ps(b.v, b.v));
  r.f[1] *= 2;
  return r;
}
double ofVectors(double x) {
  union four a, b;
  for (int i = 0; i < 4; i++) {
    a.f[i] = x * i;
    b.f[i] = x + i;
  }
  union four c = combined(combined(a, b), a);
  float f = c.f[0];
  c.f[0] = c.f[3];
  c.f[3] = f;
  return c.f[0] + c.f[1] * 2 + c.f[2] * c.f[3] * 1e-2;
}
float wholeVectors(const float *p) {
  float q[8], o[8], sum = 0;
  memcpy(q, p, sizeof q);
  __m128d a = _mm_castps_pd(_mm_loadu_ps(q)), b = _mm_castps_pd(_mm_loadu_ps(q + 4));
  _mm_storeu_pd((double *)o, _mm_shuffle_pd(a, b, 1));
  _mm_storeu_pd((double *)(o + 4), _mm_unpackhi_pd(b, a));
  _mm_storel_pd((double *)(q + 1), a);
  for (int i = 0; i < 8; i++)
    sum += o[i] * q[7 - i] * (i + 1);
  return sum;
}
/* Doubles as pairs of floats. */
double doublesAsPairs(double x) {
  __m128d a = _mm_set_pd(x, x * x);
  __m128d b = _mm_castps_pd(_mm_movehl_ps(_mm_castpd_ps(a), _mm_castpd_ps(a)));
  __m128d c = _mm_castps_pd(
      _mm_shuffle_ps(_mm_castpd_ps(a), _mm_castpd_ps(b), _MM_SHUFFLE(1, 0, 3, 2)));
  c = _mm_mul_pd(c, a);
  double o[4];
  __m128 t = _mm_movelh_ps(_mm_castpd_ps(c), _mm_castpd_ps(b));
  _mm_storeu_pd(o, _mm_castps_pd(t));
  _mm_storeu_pd(o + 2, c);
  return o[0] * o[3] + 2 * o[1] * o[2] + _mm_cvtsd_f64(b) * _mm_cvtsd_f64(c);
}
#endif

float __enzyme_fwddiff_float(void *, const float *, const float *);

/* In single precision, slopes are taken over a distance. */
#define TEST(F)                                                                                    \
  for (int i = 0; i < 2; i++) {                                                                    \
    double x = i ? 1.43 : 0.81, h = 1e-2, d = __enzyme_autodiff((void *)F, x);                     \
    checkWithin(#F, -1, d, (F(x + h) - F(x - h)) / (2 * h), 1e-3, 1e-6);                           \
    checkWithin(#F " forward", -1, __enzyme_fwddiff((void *)F, x, 1.0), d, 1e-6, 1e-6);            \
  }
#define TEST_ARRAY(F)                                                                              \
  {                                                                                                \
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, d[8] = {0};                                             \
    float by[8] = {1, -2, 0.5, 1, 2, 1, -1, 0.25};                                                 \
    __enzyme_autodiff((void *)F, x, d);                                                            \
    double along = 0;                                                                              \
    for (int i = 0; i < 8; i++) {                                                                  \
      float above[8], below[8];                                                                    \
      memcpy(above, x, sizeof x);                                                                  \
      memcpy(below, x, sizeof x);                                                                  \
      above[i] += 0.125f;                                                                          \
      below[i] -= 0.125f;                                                                          \
      checkWithin(#F, i, d[i], (F(above) - F(below)) / 0.25, 1e-3, 1e-5);                          \
      along += d[i] * by[i];                                                                       \
    }                                                                                              \
    checkWithin(#F " forward", -1, __enzyme_fwddiff_float((void *)F, x, by), along, 1e-5, 1e-5);   \
  }

int main(void) {
  TEST(handedOn);
  TEST(copied);
  TEST(ofEither);
#if defined(__x86_64__)
  TEST_ARRAY(loaded);
  TEST_ARRAY(shuffled);
  TEST_ARRAY(chosen);
  TEST(ofVectors);
  TEST_ARRAY(wholeVectors);
  TEST(doublesAsPairs);
#endif
  return finish();
}
