// A loop down columns is reversed around the loop along rows: a remark, and a line of the report.
// RUN: %clang -g -O2 -fpass-plugin=%plugin -Rpass=isozyme -S -o /dev/null %s 2>&1 | FileCheck %s
// CHECK: swapped.c:[[# @LINE + 5]]:7: remark: the reverse of this loop goes down columns: it is run around the reverse of the loop that this one is in, which goes along rows
void product(const double *restrict a, const double *restrict b, double *restrict c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void gradient(const double *a, double *da, const double *b, double *db, double *c, double *dc,
              int n) {
  __enzyme_autodiff((void *)product, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc,
                    enzyme_const, n);
}
