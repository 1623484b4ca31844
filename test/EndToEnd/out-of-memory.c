// A tape for which there is no memory ends the program with one sentence, however large it is:
// arrays, also of sizes that cannot be counted, and chunks. What fits is not disturbed.
// RUN: %clang -O1 %s -o %t -lm
// RUN: not --crash bash -c 'ulimit -v 1000000; %t known 0x1000000000' 2>&1 | FileCheck %s
// RUN: not --crash bash -c 'ulimit -v 1000000; %t known 0x2000000000000001' 2>&1 | FileCheck %s
// RUN: not --crash bash -c 'ulimit -v 1000000; %t unknown 1e30' 2>&1 | FileCheck %s
// RUN: bash -c 'ulimit -v 1000000; %t known 1000' | FileCheck --check-prefix=FITS %s
// RUN: bash -c 'ulimit -v 1000000; %t unknown 1e4' | FileCheck --check-prefix=FITS %s
// CHECK: isozyme: out of memory: the tape of a derivative needs {{[0-9]+}} more bytes
// FITS: finished
#include "check.h"

double known(double x, long n) {
  double s = x;
  for (long i = 0; i < n; i++)
    s = sin(s) * x;
  return s;
}
double unknown(double x, double bound) {
  double s = x;
  for (double i = 0; i * i < bound; i += 0.125)
    s = sin(s) * x;
  return s;
}

int main(int argc, char **argv) {
  double d = 0;
  if (strcmp(argv[1], "known") == 0)
    d = __enzyme_autodiff((void *)known, 0.5, strtol(argv[2], 0, 0));
  else
    d = __enzyme_autodiff((void *)unknown, 0.5, enzyme_const, strtod(argv[2], 0));
  printf("finished: %g\n", d);
  return argc != 3;
}
