// Inner loops of a reverse sweep are vectorised: LLVM is told that shadows overlap nothing else, and compares no
// addresses at run time.
// RUN: %clang -O2 -S -emit-llvm -fno-discard-value-names %s -o - | FileCheck %s --implicit-check-not=vector.memcheck
// RUN: %clang -O2 -S -emit-llvm -fno-discard-value-names -mllvm -isozyme-apart=false %s -o - | FileCheck %s --check-prefix=OFF
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

// The reverse of the inner loop reads dc and adds to db, and to da in a register.
static void product(const double *restrict a, const double *restrict b, double *restrict c, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void gradient(const double *a, double *da, const double *b, double *db, double *c, double *dc,
              int n) {
  __enzyme_autodiff((void *)product, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc,
                    enzyme_const, n);
}
// CHECK-LABEL: define {{.*}}@gradient(
// CHECK-COUNT-2: {{^}}vector.body
// OFF-LABEL: define {{.*}}@gradient(
// OFF:       {{^}}vector.body
// OFF:       {{^}}vector.memcheck
// OFF:       {{^}}vector.body

// Here nothing is promised. What is written is the function's own, and its gradient's.
static double layers(const double *w, const double *in, int n) {
  double out[64], sum = 0;
  for (int o = 0; o < n; o++) {
    double s = w[o * n];
    for (int i = 0; i < n; i++)
      s += w[o * n + i] * in[i];
    out[o] = s;
  }
  for (int o = 0; o < n; o++)
    sum += out[o] * out[o];
  return sum;
}
double __enzyme_autodiff_value(void *, ...);
void slopes(const double *w, double *dw, const double *in, int n) {
  __enzyme_autodiff_value((void *)layers, enzyme_dup, w, dw, enzyme_const, in, n);
}
// CHECK-LABEL: define {{.*}}@slopes(
// CHECK-COUNT-2: {{^}}vector.body
// OFF-LABEL: define {{.*}}@slopes(
// OFF:       {{^}}vector.body
// OFF:       {{^}}vector.memcheck
// OFF:       {{^}}vector.body
