// What kernels do atomically beside adding: sums by a loop of compare-and-exchange, for double and float and with a
// minus; subtractions; and integers, which have no derivative: a histogram, the largest and smallest, tickets.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

#define SCOPE __MEMORY_SCOPE_DEVICE

/// As CUDA's programming guide has it for machines without an addition of doubles.
template <class Bits, class Float> __device__ Float addByExchange(Float *p, Float v) {
  Bits *at = (Bits *)p, old = __scoped_atomic_load_n(at, __ATOMIC_RELAXED, SCOPE), assumed;
  do {
    assumed = old;
    Bits next = __builtin_bit_cast(Bits, v + __builtin_bit_cast(Float, assumed));
    __scoped_atomic_compare_exchange_n(at, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, SCOPE);
  } while (assumed != old);
  return __builtin_bit_cast(Float, old);
}

/// The other common form.
__device__ void subtractByExchange(double *p, double v) {
  unsigned long long *at = (unsigned long long *)p;
  unsigned long long seen = __scoped_atomic_load_n(at, __ATOMIC_RELAXED, SCOPE);
  while (!__scoped_atomic_compare_exchange_n(
      at, &seen, __builtin_bit_cast(unsigned long long, __builtin_bit_cast(double, seen) - v), false,
      __ATOMIC_RELAXED, __ATOMIC_RELAXED, SCOPE))
    ;
}

struct Counters {
  int cells[4], largest, smallest, tickets, exchanged;
};

__device__ void collect(const double *x, double *sum, float *part, Counters *count) {
  double v = x[globalX()];
  int cell = int(v * 4) & 3;
  __scoped_atomic_fetch_add(&count->cells[cell], 1, __ATOMIC_RELAXED, SCOPE);
  __scoped_atomic_fetch_max(&count->largest, cell, __ATOMIC_RELAXED, SCOPE);
  __scoped_atomic_fetch_min(&count->smallest, cell, __ATOMIC_RELAXED, SCOPE);
  int ticket = __scoped_atomic_fetch_add(&count->tickets, 1, __ATOMIC_RELAXED, SCOPE);
  __scoped_atomic_exchange_n(&count->exchanged, ticket, __ATOMIC_RELAXED, SCOPE);
  addByExchange<unsigned long long>(&sum[0], sin(v) * v);
  subtractByExchange(&sum[1], v * v);
  __scoped_atomic_fetch_sub(&sum[2], exp(v), __ATOMIC_RELAXED, SCOPE);
  addByExchange<unsigned>(&part[cell], float(v * v * v));
}

KERNEL values(const double *x, double *sum, float *part, Counters *count) { collect(x, sum, part, count); }
KERNEL gradients(const double *x, double *dx, double *sum, double *dsum, float *part, float *dpart, Counters *count) {
  __enzyme_autodiff<void>((void *)collect, enzyme_dup, x, dx, enzyme_dup, sum, dsum, enzyme_dup, part, dpart,
                          enzyme_const, count);
}

#else

KERNEL values(const double *x, double *sum, float *part, int *count);
KERNEL gradients(const double *x, double *dx, double *sum, double *dsum, float *part, float *dpart, int *count);

int main() {
  const int n = 24;
  std::vector<double> x(n), dx(n), sum(3), dsum{0.7, -1.1, 0.4};
  std::vector<float> part(4), dpart{0.3f, 0.5f, -0.2f, 0.9f};
  std::vector<int> count(8);
  for (int i = 0; i < n; ++i)
    x[i] = 0.5 + 0.45 * std::sin(1.7 * i + 4.7); // None between two cells.
  gpu::launch(gradients, 3, n / 3, x.data(), dx.data(), sum.data(), dsum.data(), part.data(), dpart.data(),
              count.data());
  gpu::expectNear("all counted", 0, count[0] + count[1] + count[2] + count[3], n, 0);
  gpu::expectNear("tickets", 0, count[6], n, 0);
  gpu::expectGradient<double>("dx", x, dx, [&] {
    std::vector<double> s(3);
    std::vector<float> p(4);
    gpu::launch(values, 3, n / 3, x.data(), s.data(), p.data(), count.data());
    double total = 0;
    for (int k = 0; k < 3; ++k)
      total += dsum[k] * s[k];
    for (int k = 0; k < 4; ++k)
      total += double(dpart[k]) * p[k];
    return total;
  }, 1e-3, 2e-3);
}

#endif
