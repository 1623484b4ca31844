// A ladder network with C99 complex numbers: impedances, transfer function, fit to a response.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <complex.h>

typedef enum { RESISTOR, COIL, CAPACITOR, LINE } Kind;
typedef struct {
  Kind kind;
  int parallel;
  double value, loss;
} Part;

static double complex impedance(const Part *p, double omega) {
  switch (p->kind) {
  case RESISTOR:
    return p->value;
  case COIL:
    return p->loss + I * omega * p->value;
  case CAPACITOR:
    return 1 / (p->loss + I * omega * p->value);
  case LINE:
    return csqrt((p->loss + I * omega * p->value) / (0.1 + 0.2 * I * omega)) *
           ctanh(p->value + 0.1 * I * omega);
  }
  return 0;
}
/* Voltage and current at the input for one volt at the open output. */
static double complex transfer(const Part *parts, int n, double omega) {
  double complex voltage = 1, current = 0;
  for (const Part *p = parts + n - 1; p >= parts; p--) {
    double complex z = impedance(p, omega);
    if (p->parallel)
      current += voltage / z;
    else
      voltage += current * z;
  }
  return 1 / voltage;
}
double mismatch(const Part *parts, int n, const double *omega, const double complex *wanted,
                int samples) {
  double sum = 0;
  for (int i = 0; i < samples; i++) {
    double complex h = transfer(parts, n, omega[i]), e = h - wanted[i];
    sum += creal(e * conj(e)) + 0.1 * fabs(carg(h)) * cabs(h);
  }
  return sum;
}

enum { N = 6, SAMPLES = 5 };

int main(void) {
  Part p[N] = {{RESISTOR, 0, 1.1, 0}, {CAPACITOR, 1, 0.8, 0.05}, {COIL, 0, 0.6, 0.1},
               {LINE, 1, 0.7, 0.2},   {COIL, 0, 0.3, 0.02},      {RESISTOR, 1, 2.2, 0}};
  Part d[N], t[N];
  double omega[SAMPLES] = {0.3, 0.7, 1.1, 1.9, 3.1}, r[2 * SAMPLES], domega[SAMPLES] = {0},
         tr[2 * N + SAMPLES];
  double complex wanted[SAMPLES];
  double inner = 0;
  fill(r, 2 * SAMPLES, 22, -1, 1);
  fill(tr, 2 * N + SAMPLES, 23, -1, 1);
  for (int i = 0; i < SAMPLES; i++)
    wanted[i] = r[2 * i] + I * r[2 * i + 1];
  for (int i = 0; i < N; i++) {
    d[i] = (Part){p[i].kind, p[i].parallel, 0, 0};
    t[i] = (Part){p[i].kind, p[i].parallel, tr[2 * i], tr[2 * i + 1]};
  }
  __enzyme_autodiff((void *)mismatch, p, d, N, omega, domega, enzyme_const, wanted, SAMPLES);
  for (int i = 0; i < N; i++) {
    CHECK_AT("value", i, d[i].value, SLOPE(p[i].value, mismatch(p, N, omega, wanted, SAMPLES)));
    CHECK_AT("loss", i, d[i].loss, SLOPE(p[i].loss, mismatch(p, N, omega, wanted, SAMPLES)));
    inner += t[i].value * d[i].value + t[i].loss * d[i].loss;
  }
  CHECK_SLOPES("omega", SAMPLES, omega, domega, mismatch(p, N, omega, wanted, SAMPLES));
  double tangent =
      __enzyme_fwddiff((void *)mismatch, p, t, N, omega, tr + 2 * N, enzyme_const, wanted, SAMPLES);
  CHECK("forward", tangent, inner + innerProduct(tr + 2 * N, domega, SAMPLES));
  return finish();
}
