// Each program and each shared library has one stack of tapes for a thread, whatever it is made
// of; a library that is closed while a thread has used it goes when the thread ends.
// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O2 -c one.c -o one.o && %clang -O2 -c two.c -o two.o
// RUN: %clang -O2 -DMAIN main.c one.o two.o -o program && ./program | FileCheck %s
// RUN: llvm-nm program | FileCheck %s --check-prefix=ONE
// RUN: %clang -O2 -fPIC -shared one.c -o libone.so && %clang -O2 -fPIC -shared two.c -o libtwo.so
// RUN: llvm-nm -D libone.so | FileCheck %s --check-prefix=HIDDEN
// RUN: %clang -O2 -DMAIN main.c -L. -lone -ltwo -Wl,-rpath,%t -o program && ./program | FileCheck %s
// RUN: %clang -O2 -DOPEN main.c two.o -ldl -pthread -o program && ./program | FileCheck %s
// RUN: %preload%isozyme cc -O2 -flto main.c -DMAIN one.c two.c -o program && ./program | FileCheck %s
// RUN: llvm-nm program | FileCheck %s --check-prefix=ONE
// RUN: %preload%isozyme cc -O2 -flto=thin main.c -DMAIN one.c two.c -o program && ./program | FileCheck %s
// RUN: llvm-nm program | FileCheck %s --check-prefix=ONE
// RUN: %preload%isozyme cc -O2 -flto=thin -fuse-ld=lld main.c -DMAIN one.c two.c -o program && ./program | FileCheck %s
// RUN: %preload%isozyme cc -O2 -flto -c one.c -o one.o
// RUN: %preload%isozyme cc -O2 -flto main.c -DMAIN one.o two.o -o program && ./program | FileCheck %s
//
// CHECK: 52.5493 39
// ONE: isozyme.tape.of.thread
// ONE-NOT: isozyme.tape.of.thread
// HIDDEN-NOT: isozyme

//--- one.c
double __enzyme_autodiff(void *, ...);
static double chaos(double x, long n) {
  for (long i = 0; i < n; i++)
    x = 4 * x * (1 - x);
  return x;
}
double chaosSlope(double x, long n) { return __enzyme_autodiff((void *)chaos, x, n); }

//--- two.c
double __enzyme_autodiff(void *, ...);
double chaosSlope(double, long);
static double square(double x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    x = x * x;
    sum += x;
  }
  return sum;
}
// Derivatives of the other library run between those of this one.
double sumSlope(double x, long n) {
  double last = 0;
  for (int i = 0; i < 100; i++) {
    last = __enzyme_autodiff((void *)square, x, n);
    chaosSlope(0.1, 1000 + i);
  }
  return last;
}

//--- main.c
#include <stdio.h>
#ifdef OPEN
#include <dlfcn.h>
#include <pthread.h>
static double (*opened)(double, long);
double chaosSlope(double x, long n) { return opened(x, n); }
#else
double chaosSlope(double, long);
#endif
double sumSlope(double, long);
static void *both(void *unused) {
#ifdef OPEN
  void *one = dlopen("./libone.so", RTLD_NOW);
  opened = (double (*)(double, long))dlsym(one, "chaosSlope");
#endif
  double first = chaosSlope(0.1, 5), second = sumSlope(2, 1) + sumSlope(1, 4) + sumSlope(1, 2) - 1;
#ifdef OPEN
  dlclose(one);
#endif
  printf("%g %g\n", first, second);
  return unused;
}
int main(void) {
#ifdef OPEN
  pthread_t thread;
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, 0, both, 0);
    pthread_join(thread, 0);
  }
#else
  both(0);
#endif
  return 0;
}
