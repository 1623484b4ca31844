// Functions of the program in another file, whose names are those of library functions by chance: a
// name too short, or one of the C library with other parameters. No derivative is guessed, and with
// all files at hand it is that of the program's own function.
// RUN: split-file %s %t
// RUN: %clang -O1 -c %t/other.c -o %t/other.o
// RUN: not %clang -O1 -c %t/main.c -o %t/main.o 2>&1 | FileCheck %t/main.c
// RUN: %preload%isozyme cc -O1 -flto %t/main.c %t/other.c -lm -o %t/program && %t/program
// RUN: %preload%isozyme cc -O0 -flto %t/main.c %t/other.c -lm -o %t/program && %t/program

//--- main.c
#include <math.h>
#include <stdio.h>
double ndtr(double x), jv(double order, double x), sinc(double x), igam(double a, double x);
double link(double eta), signal(double t), access(double x, int k);
void sync(double *x);
double __enzyme_autodiff(void *, ...);

// CHECK-DAG: no derivative is known for 'ndtr'{{.*}}, say that it is the known function of this name if it is (void *__enzyme_function_like_ndtr[] = {(void *)ndtr, "ndtr"}; docs/rules.md)
double a(double x) { return x * ndtr(x); }
// CHECK-DAG: no derivative is known for 'jv'
double b(double x) { return jv(1.5, x); }
// CHECK-DAG: no derivative is known for 'sinc'
double c(double x) { return sinc(x); }
// CHECK-DAG: no derivative is known for 'igam'
double d(double x) { return igam(2.5, x); }
// CHECK-DAG: no derivative is known for 'link'
double e(double x) { return x * link(x); }
// CHECK-DAG: no derivative is known for 'signal'
double f(double x) { return x * signal(x); }
// CHECK-DAG: no derivative is known for 'access'
double g(double x) { return x * access(x, 2); }
// CHECK-DAG: no derivative is known for 'sync'
double h(double x) {
  sync(&x);
  return x;
}

static int differs(double (*function)(double), double derivative) {
  const double step = 1e-6, x = 0.7, difference = (function(x + step) - function(x - step)) / (2 * step);
  if (fabs(derivative - difference) < 1e-7)
    return 0;
  printf("%.10g, by differences %.10g\n", derivative, difference);
  return 1;
}
#define CHECK(F) differs(F, __enzyme_autodiff((void *)F, 0.7))

int main(void) { return CHECK(a) + CHECK(b) + CHECK(c) + CHECK(d) + CHECK(e) + CHECK(f) + CHECK(g) + CHECK(h); }

//--- other.c
double ndtr(double x) { return x * x; }
double jv(double order, double x) { return order * x * x; }
double sinc(double x) { return 1 - x * x; }
double igam(double a, double x) { return a * x * x; }
double link(double eta) { return 1 / (1 + eta * eta); }
double signal(double t) { return t * t; }
double access(double x, int k) { return k * x; }
void sync(double *x) { *x = *x * *x; }
