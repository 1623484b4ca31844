// A float that is read from a union as an address, kept as one and read as a float again: memory
// of addresses has addresses in its shadow, no derivatives. Copies of the whole union have both.
// RUN: not %clang -w -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -g -fno-strict-aliasing -c %s -o %t.o 2>&1 | FileCheck %s
typedef union {
  double number;
  void *address;
} Cell;
double moved(const double *x, int n) {
  Cell from[8], to[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    from[i].number = x[i] * x[i];
  for (int i = 0; i < n; i++)
    to[i].address = from[n - 1 - i].address;
  for (int i = 0; i < n; i++)
    // CHECK: bits-in-addresses.c:[[@LINE+1]]:{{[0-9]+}}: error: the bits of a differentiated float are kept in memory as an address; keep the float itself there, apart from addresses [IZ202]
    sum += i * to[i].number;
  return sum;
}
// It may be one of two.
double chosen(const double *x, int n) {
  Cell from[8], to[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    from[i].number = x[i] * x[i];
  for (int i = 0; i < n; i++)
    to[i].address = i % 2 ? from[n - 1 - i].address : from[i / 2].address;
  for (int i = 0; i < n; i++)
    // CHECK: bits-in-addresses.c:[[@LINE+1]]:{{[0-9]+}}: error: the bits of a differentiated float are kept in memory as an address; {{.*}} [IZ202]
    sum += i * to[i].number;
  return sum;
}
double copied(const double *x, int n) {
  Cell from[8], to[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    from[i].number = x[i] * x[i];
  for (int i = 0; i < n; i++)
    to[i] = from[n - 1 - i];
  for (int i = 0; i < n; i++)
    sum += i * to[i].number;
  return sum;
}
double __enzyme_autodiff(void *, ...);
void gradients(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)moved, x, dx, n);
  __enzyme_autodiff((void *)chosen, x, dx, n);
  __enzyme_autodiff((void *)copied, x, dx, n);
  // CHECK: 2 errors generated
}
