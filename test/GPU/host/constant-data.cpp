// Of what the call holds constant, a kernel gets no shadow, and a function of the host the memory itself.
// RUN: %run_host_half %s
#include "host-runtime.h"

__global__ void scaled(const double *x, const double *w, double *y) {}
__global__ void scaledReverse(const double *, double *dx, const double *, double *dw, double *, double *dy) {}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)scaled, (void *)scaledReverse};

__global__ void other(const double *x, const double *w, double *y) {}
void otherAugmented(const double *, double *, const double *, double *, double *, double *) {}
bool wasItself;
void otherReverse(const double *, double *, const double *w, double *dw, double *, double *) { wasItself = w == dw; }
void *__enzyme_register_gradient_other[] = {(void *)other, (void *)otherAugmented, (void *)otherReverse};

void f(const double *x, const double *w, double *y) {
  scaled<<<1, 32>>>(x, w, y);
  other<<<1, 32>>>(x, w, y);
}

double *given[6];

int main() {
  beKernel((void *)scaled, [](const Threads &, void **) {});
  beKernel((void *)scaledReverse, [](const Threads &, void **a) {
    for (int i = 0; i < 6; ++i)
      given[i] = argument<double *>(a, i);
  });
  double n[6];
  __enzyme_autodiff<void>((void *)f, enzyme_dup, n, n + 1, enzyme_const, n + 2, enzyme_dup, n + 3, n + 4);
  double *const wanted[6] = {n, n + 1, n + 2, nullptr, n + 3, n + 4};
  for (int i = 0; i < 6; ++i)
    if (given[i] != wanted[i])
      return printf("argument %d\n", i), 1;
  return !wasItself;
}
