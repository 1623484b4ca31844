// Functions and derivatives that are compiled while the program runs, from a file and from LLVM IR.
// UNSUPPORTED: sanitizers
// RUN: split-file %s %t && cd %t
// RUN: %clang_bin main.c -I %include -L %plugin_folder -lIsozymeJIT -lm -Wl,-rpath,%plugin_folder -o program
// RUN: ./program | FileCheck %s

// CHECK: energy 2.5000 and 2.5000
// CHECK: calls 2
// CHECK: gradient -3.00 2.00 1.00, by stiffness 1.2500, energy 2.5000
// CHECK: with half the seed -1.50 1.00 0.50
// CHECK: along 4.0000, energy 2.5000
// CHECK: calls 5, the same address: 1
// CHECK: power 32.0000, its derivative 80.0000
// CHECK: of a tape: 0.5403 -0.8323 -2.9700
// CHECK: cubic 27.0 27.0
// CHECK: use of undeclared identifier 'nothing'
// CHECK: there is no function 'missing' with a body
// CHECK: Symbols not found: [ missing ]
// CHECK: 'energy' has 3 parameters, and 'active' says what 1 of them are
// CHECK: 'dup' is no activity; it is 'const' or 'active'
// CHECK: parameter 2 of 'energy' is neither a float or double nor a pointer, and can not be active
// CHECK: wrong.c:3:10: {{.*}}'elsewhere'
// CHECK: module:1:1: error: expected top-level entity
// CHECK: 'pair' returns a structure; derivatives at run time take numbers and pointers

//--- spring.c
#include <math.h>
#include <stdlib.h>
static int Calls;
static const double Rest = 0.5;
int calls(void) { return Calls; }

double energy(const double *x, int n, double stiffness) {
  double sum = 0;
  Calls++;
  for (int i = 0; i + 1 < n; ++i) {
    double stretch = x[i + 1] - x[i] - Rest;
    sum += 0.5 * stiffness * stretch * stretch;
  }
  return sum;
}

double power(double base, unsigned char exponent) {
  double result = 1;
  while (exponent--)
    result *= base;
  return result;
}

// Keeps values for the reverse sweep, and allocates.
void sines(double *x, int n) {
  double *copy = malloc(n * sizeof *copy);
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * (i + 1);
  for (int i = 0; i < n; ++i)
    x[i] = sin(copy[i]);
  free(copy);
}

//--- broken.c
double broken(double x) { return nothing * x; }

//--- wrong.c
double elsewhere(double *x);
double wrong(double *x) {
  return elsewhere(x) * x[0];
}
struct Pair { double first, second; };
struct Pair pair(double x) { return (struct Pair){x, x}; }

//--- main.c
#include <isozyme/isozyme_capi.h>
#include <stdio.h>
#include <string.h>

static char *Error;

static void fails(void *Result) {
  printf("%s\n", Result ? "did not fail" : Error);
  isozyme_free_text(Error);
  Error = 0;
}

int main(void) {
  const char *Arguments[] = {"-O2", 0};
  isozyme_module *Spring = isozyme_compile_file("spring.c", Arguments, &Error);
  if (!Spring) {
    printf("%s\n", Error);
    return 1;
  }
  double (*energy)(const double *, int, double) = isozyme_function(Spring, "energy", &Error);
  int (*calls)(void) = isozyme_function(Spring, "calls", &Error);
  double x[3] = {0, 2, 3}, by[3] = {0}, stiffness;
  printf("energy %.4f and %.4f\n", energy(x, 3, 2), energy(x, 3, 2));
  printf("calls %d\n", calls());

  double (*reverse)(const double *, double *, int, double, double *, double) =
      isozyme_derivative(Spring, "energy", ISOZYME_REVERSE, 0, &Error);
  if (!reverse) {
    printf("%s\n", Error);
    return 1;
  }
  double value = reverse(x, by, 3, 2, &stiffness, 1);
  printf("gradient %.2f %.2f %.2f, by stiffness %.4f, energy %.4f\n", by[0], by[1], by[2], stiffness, value);
  memset(by, 0, sizeof by);
  reverse(x, by, 3, 2, &stiffness, 0.5);
  printf("with half the seed %.2f %.2f %.2f\n", by[0], by[1], by[2]);

  double (*forward)(const double *, const double *, int, double, double *) =
      isozyme_derivative(Spring, "energy", ISOZYME_FORWARD, "active, const, const", &Error);
  double along[3] = {1, 2, 3}, tangent;
  value = forward(x, along, 3, 2, &tangent);
  printf("along %.4f, energy %.4f\n", tangent, value);
  printf("calls %d, the same address: %d\n", calls(),
         isozyme_derivative(Spring, "energy", ISOZYME_REVERSE, 0, &Error) == (void *)reverse);

  double (*power)(double, double *, unsigned char, double) =
      isozyme_derivative(Spring, "power", ISOZYME_REVERSE, 0, &Error);
  double slope;
  value = power(2, &slope, 5, 1);
  printf("power %.4f, its derivative %.4f\n", value, slope);

  void (*sines)(double *, double *, int) = isozyme_derivative(Spring, "sines", ISOZYME_REVERSE, 0, &Error);
  double ones[3] = {1, 1, 1}, angles[3] = {1, 1, 1};
  sines(angles, ones, 3);
  printf("of a tape: %.4f %.4f %.4f\n", ones[0], ones[1], ones[2]);

  const char *Text = "define double @cubic(double %x) {\n"
                     "  %s = fmul double %x, %x\n  %c = fmul double %s, %x\n  ret double %c\n}\n";
  isozyme_module *Cubic = isozyme_load_ir(Text, strlen(Text), &Error);
  double (*cubic)(double) = isozyme_function(Cubic, "cubic", &Error);
  double (*slopeOfCubic)(double, double *, double) =
      isozyme_derivative(Cubic, "cubic", ISOZYME_REVERSE, 0, &Error);
  value = slopeOfCubic(3, &slope, 1);
  printf("cubic %.1f %.1f\n", value, slope);
  isozyme_release(Cubic);

  fails(isozyme_compile_file("broken.c", Arguments, &Error));
  fails(isozyme_derivative(Spring, "missing", ISOZYME_REVERSE, 0, &Error));
  fails(isozyme_function(Spring, "missing", &Error));
  fails(isozyme_derivative(Spring, "energy", ISOZYME_REVERSE, "active", &Error));
  fails(isozyme_derivative(Spring, "energy", ISOZYME_REVERSE, "dup,const,const", &Error));
  fails(isozyme_derivative(Spring, "energy", ISOZYME_REVERSE, "active,active,const", &Error));
  isozyme_release(Spring);
  isozyme_module *Wrong = isozyme_compile_file("wrong.c", 0, &Error);
  fails(isozyme_derivative(Wrong, "wrong", ISOZYME_REVERSE, 0, &Error));
  fails(isozyme_load_ir("nothing", 7, &Error));
  fails(isozyme_derivative(Wrong, "pair", ISOZYME_REVERSE, 0, &Error));
  isozyme_release(Wrong);
}
