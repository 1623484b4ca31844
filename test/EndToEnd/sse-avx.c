// What <immintrin.h> leaves to the x86 backend by name, and reductions: extrema, blends, horizontal
// sums, dot products, masks, gathers, permutations, comparisons as bits.
// REQUIRES: avx2
// UNSUPPORTED: memcheck-valgrind
// (valgrind 3.19 does not know one of the instructions.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-mavx2 --flag=-mfma %s
#include "check.h"
#include <immintrin.h>

typedef double v4 __attribute__((ext_vector_type(4)));

static inline double sum2(__m128d v) { return v[0] + 2 * v[1]; }
static inline double sum4(__m256d v) { return v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3]; }

double extrema(const double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d low = _mm256_min_pd(a, b), high = _mm256_max_pd(a * a, b);
  __m128d one = _mm_min_sd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2));
  return sum4(low * high) + sum2(_mm_max_pd(one, _mm_set1_pd(x[7])) * one);
}
double blends(const double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d chosen = _mm256_blendv_pd(a, b * b, a - b);
  __m256d less = _mm256_cmp_pd(a, b, _CMP_LT_OQ);
  __m256d masked = _mm256_and_pd(less, a * a);
  __m256d other = _mm256_or_pd(_mm256_and_pd(less, a), _mm256_andnot_pd(less, b * b));
  __m128d single = _mm_cmplt_sd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2));
  int bits = _mm256_movemask_pd(a) + _mm_movemask_pd(single) % 2;
  return sum4(chosen * masked + other) * bits + sum4(_mm256_blend_pd(a, b, 5) * a);
}
double horizontal(const double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d sums = _mm256_hadd_pd(a * b, b), both = _mm256_addsub_pd(sums, a);
  __m128d dot = _mm_dp_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + 5), 0x31);
  __m256d fused = _mm256_fmaddsub_pd(a, b, both);
  return sum4(_mm256_hsub_pd(both, fused) * fused) + sum2(dot * dot);
}
double lanes(const double *x) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256i which = _mm256_set_epi64x(2, 0, 2, (long long)(2 * (x[0] > 0)));
  __m256d moved = _mm256_permutevar_pd(a * b, which);
  __m256d whole = _mm256_round_pd(4 * a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  int less = _mm_comilt_sd(_mm_loadu_pd(x), _mm_loadu_pd(x + 1));
  return sum4(moved * a + whole * b) * (1 + less) + sum4(_mm256_sqrt_pd(2 + a)) * _mm_cvtsd_si32(_mm_set1_pd(7 * x[1]));
}
double inMemory(const double *x) {
  double y[8];
  for (int i = 0; i < 8; i++)
    y[i] = x[i] * x[i];
  __m256i mask = _mm256_set_epi64x(-1, 0, -1, -1);
  __m256d a = _mm256_maskload_pd(y + 1, mask);
  __m256d b = _mm256_i64gather_pd(y, _mm256_set_epi64x(1, 1, 6, 3), 8);
  __m256d c = _mm256_i32gather_pd(x, _mm_set_epi32(7, 2, 0, 2), 8);
  _mm256_maskstore_pd(y + 3, mask, a * b * c);
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += y[i] * x[7 - i];
  return sum;
}
double reductions(const double *x) {
  v4 a, b;
  memcpy(&a, x, sizeof a);
  memcpy(&b, x + 4, sizeof b);
  return __builtin_reduce_max(a * b) * __builtin_reduce_min(a) +
         __builtin_reduce_maximum(b) * __builtin_reduce_minimum(a - b) * x[0];
}

/* 1/x and 1/sqrt(x) to twelve bits: the slope of what they stand for. */
double approximations(double x) {
  __m128 v = _mm_set_ps((float)x, (float)(x * x), 2, (float)x);
  __m256 w = _mm256_set_m128(v, v);
  w = _mm256_mul_ps(_mm256_rcp_ps(w), _mm256_rsqrt_ps(w));
  v = _mm_mul_ps(_mm_rcp_ps(v), _mm_rsqrt_ps(_mm_mul_ps(v, v)));
  __m128 s = _mm_rsqrt_ss(_mm_rcp_ss(v));
  return v[0] + 2 * v[2] + 3 * w[7] * w[0] + s[0] + s[3];
}

#define TEST(F) CHECK_FUNCTION(F, 8, x, t)

int main(void) {
  double x[8] = {0.3, -0.62, 0.81, 0.11, -0.45, 0.77, 0.23, -0.9}, t[8];
  fill(t, 8, 72, -1, 1);
  TEST(extrema);
  TEST(blends);
  TEST(horizontal);
  TEST(lanes);
  TEST(inMemory);
  TEST(reductions);
  for (double y = 0.7; y < 3; y += 0.9) {
    double s = -4 * pow(y, -3) - 8 * pow(y, -5) - 9 * pow(y, -4) - pow(y, -2);
    double d = __enzyme_autodiff((void *)approximations, y);
    checkWithin("approximations", -1, d, s, 5e-3, 1e-5);
    checkWithin("approximations forward", -1, __enzyme_fwddiff((void *)approximations, y, 1.0), d,
                1e-5, 1e-5);
  }
  return finish();
}
