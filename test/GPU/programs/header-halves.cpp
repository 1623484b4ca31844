// Halves as the headers of CUDA have them: integers that hold their bits, and assembly that computes with these, alone
// and in pairs. And halves that are shuffled, in the same two ways. For AMD, and on the host, the compiler's own.
// RUN: %run_kernels %s
#include "derive.h"

typedef _Float16 half;

#ifndef EMULATED

#if defined(__NVPTX__)
struct Half {
  unsigned short bits;
};
struct alignas(4) Pair {
  unsigned short x, y;
};
#define BINARY(NAME)                                                                                                  \
  __device__ __forceinline__ Half NAME(Half a, Half b) {                                                              \
    Half r;                                                                                                           \
    asm("{" #NAME ".f16 %0,%1,%2;\n}" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));                                     \
    return r;                                                                                                         \
  }                                                                                                                   \
  __device__ __forceinline__ Pair NAME(Pair a, Pair b) {                                                              \
    Pair r;                                                                                                           \
    asm("{" #NAME ".f16x2 %0,%1,%2;\n}"                                                                               \
        : "=r"(*(unsigned *)&r)                                                                                       \
        : "r"(*(const unsigned *)&a), "r"(*(const unsigned *)&b));                                                    \
    return r;                                                                                                         \
  }
BINARY(add)
BINARY(sub)
BINARY(mul)
__device__ __forceinline__ float toFloat(Half a) {
  float r;
  asm("{  cvt.f32.f16 %0, %1;}\n" : "=f"(r) : "h"(a.bits));
  return r;
}
__device__ __forceinline__ Half toHalf(float a) {
  Half r;
  asm("{  cvt.rn.f16.f32 %0, %1;}\n" : "=h"(r.bits) : "f"(a));
  return r;
}
__device__ __forceinline__ bool isGreater(Half a, Half b) {
  unsigned short r;
  asm("{ .reg .pred __$temp3;\n  setp.gt.f16  __$temp3, %1, %2;\n  selp.u16 %0, 1, 0, __$temp3;}"
      : "=h"(r)
      : "h"(a.bits), "h"(b.bits));
  return r;
}
__device__ __forceinline__ Half lower(Pair a) {
  Half r;
  asm("{.reg .f16 low,high;\n mov.b32 {low,high}, %1;\n mov.b16 %0, low;}" : "=h"(r.bits) : "r"(*(const unsigned *)&a));
  return r;
}
__device__ __forceinline__ Pair swapped(Pair a) {
  Pair r;
  asm("{.reg .f16 low,high;\n mov.b32 {low,high}, %1;\n mov.b32 %0, {high,low};}\n"
      : "=r"(*(unsigned *)&r)
      : "r"(*(const unsigned *)&a));
  return r;
}
/// The sign of one with the size of the other, as the sines of the headers put it back.
__device__ __forceinline__ Half withSign(Half size, Half sign) {
  Half r;
  asm("{.reg.b16 r,t;\n mov.b16 r, %1;\n and.b16 t, %2, 0x8000U;\n abs.f16 r, r;\n or.b16 r,r,t;\n mov.b16 %0, r;\n}\n"
      : "=h"(r.bits)
      : "h"(size.bits), "h"(sign.bits));
  return r;
}
/// As the header's shuffle, which hands on each twice.
__device__ __forceinline__ Half fromBeside(Half a) {
  unsigned word, got;
  Half r;
  asm("{  mov.b32 %0, {%1,%1};}\n" : "=r"(word) : "h"(a.bits));
  asm volatile("{shfl.sync.bfly.b32 %0,%1,%2,%3,%4;\n}" : "=r"(got) : "r"(word), "r"(1), "r"(31), "r"(-1));
  asm("{.reg .f16 low,high;\n mov.b32 {low,high}, %1;\n mov.b16 %0, low;}" : "=h"(r.bits) : "r"(got));
  return r;
}
__device__ __forceinline__ Pair fromBeside(Pair a) {
  Pair r;
  asm volatile("{shfl.sync.bfly.b32 %0,%1,%2,%3,%4;\n}"
               : "=r"(*(unsigned *)&r)
               : "r"(*(const unsigned *)&a), "r"(1), "r"(31), "r"(-1));
  return r;
}
#else
typedef half Half;
typedef half Pair __attribute__((ext_vector_type(2)));
template <class T> __device__ __forceinline__ T add(T a, T b) { return a + b; }
template <class T> __device__ __forceinline__ T sub(T a, T b) { return a - b; }
template <class T> __device__ __forceinline__ T mul(T a, T b) { return a * b; }
__device__ __forceinline__ float toFloat(Half a) { return a; }
__device__ __forceinline__ Half toHalf(float a) { return a; }
__device__ __forceinline__ bool isGreater(Half a, Half b) { return a > b; }
__device__ __forceinline__ Half lower(Pair a) { return a.x; }
__device__ __forceinline__ Pair swapped(Pair a) { return a.yx; }
__device__ __forceinline__ Half withSign(Half size, Half sign) { return __builtin_copysignf16(size, sign); }
__device__ __forceinline__ Half fromBeside(Half a) {
  unsigned word = __builtin_bit_cast(unsigned short, a);
  return __builtin_bit_cast(Half, (unsigned short)shuffleXor((int)word, 1));
}
__device__ __forceinline__ Pair fromBeside(Pair a) {
  return __builtin_bit_cast(Pair, shuffleXor(__builtin_bit_cast(int, a), 1));
}
#endif

__device__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void single(const half *numbers, half *results, int n) {
  const Half *x = (const Half *)numbers;
  int i = globalThread();
  if (i >= n)
    return;
  Half a = x[i], b = x[n - 1 - i], c = sub(mul(a, a), b);
  if (isGreater(a, b))
    c = add(c, toHalf(toFloat(b) * 2.0f));
  ((Half *)results)[i] = withSign(c, a);
}

__device__ void pairs(const half *numbers, half *results, int n) {
  const Pair *x = (const Pair *)numbers;
  int i = globalThread();
  if (i >= n)
    return;
  Pair a = x[i], b = swapped(x[n - 1 - i]);
  ((Pair *)results)[i] = add(mul(a, b), a);
  if (toFloat(lower(a)) > 0.5f)
    ((Half *)results)[2 * i] = mul(lower(a), lower(b));
}

__device__ void shuffled(const half *numbers, half *results, int n) {
  int i = globalThread();
  Half a = ((const Half *)numbers)[i], v = mul(a, a);
  ((Half *)results)[i] = mul(add(v, fromBeside(v)), a);
}

__device__ void shuffledPairs(const half *numbers, half *results, int n) {
  int i = globalThread();
  Pair a = ((const Pair *)numbers)[i], v = mul(a, a);
  ((Pair *)results)[i] = mul(sub(v, fromBeside(v)), swapped(a));
}

#endif

DERIVE(single, half)
DERIVE(pairs, half)
DERIVE(shuffled, half)
DERIVE(shuffledPairs, half)

#ifdef EMULATED
int main() {
  // Numbers of few digits, so that differences are exact enough.
  std::vector<half> x(64);
  for (int i = 0; i < 64; ++i)
    x[i] = half((i * 7 % 16 - 8 + 0.5) / 8);
  // What the assembly computes, as the compiler's own halves do.
  std::vector<half> y(64);
  gpu::launch(singleValues, 2, 32, x.data(), y.data(), 64);
  for (int i = 0; i < 64; ++i) {
    half a = x[i], b = x[63 - i], c = a * a - b;
    gpu::expectNear("single", i, y[i], std::copysign(double(a > b ? half(c + b * half(2)) : c), double(a)), 0);
  }
  gpu::launch(pairsValues, 1, 32, x.data(), y.data(), 32);
  for (int i = 0; i < 64; ++i) {
    half a = x[i], b = x[(62 - i / 2 * 2) + 1 - i % 2];
    bool isProduct = i % 2 == 0 && a > half(0.5);
    gpu::expectNear("pairs", i, y[i], isProduct ? half(a * b) : half(half(a * b) + a), 0);
  }
  gpu::launch(shuffledValues, 2, 32, x.data(), y.data(), 64);
  for (int i = 0; i < 64; ++i) {
    half v = x[i] * x[i], w = x[i ^ 1] * x[i ^ 1];
    gpu::expectNear("shuffled", i, y[i], half(half(v + w) * x[i]), 0);
  }
  single.check(x, 64, 2, 32, 64, 0.03125, 4e-2);
  pairs.check(x, 64, 1, 32, 32, 0.03125, 4e-2);
  shuffled.check(x, 64, 2, 32, 64, 0.03125, 4e-2);
  shuffledPairs.check(x, 64, 1, 32, 32, 0.03125, 4e-2);
}
#endif
