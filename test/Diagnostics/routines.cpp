// A function without arguments that a library runs finds differentiated data in global variables: std::call_once leaves
// the address of a closure in one. Such a call is an error; one that fills a table of constants is none.
// RUN: not %clangxx -std=c++17 -O0 -DACTIVE -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clangxx -std=c++17 -O2 -DACTIVE -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %clangxx -std=c++17 -O0 %s -o %t -pthread 2>&1 | count 0
// RUN: %t | FileCheck %s --check-prefix=VALUES
// RUN: %clangxx -std=c++17 -O2 %s -o %t -pthread 2>&1 | count 0
// RUN: %t | FileCheck %s --check-prefix=VALUES
#include <cstdio>
#include <mutex>
#include <pthread.h>

double __enzyme_autodiff(void *, ...);

#ifdef ACTIVE
double squareOnce(double x) {
  std::once_flag flag;
  double y = 0;
  // CHECK: error: {{.*}}'std::__once_callable' belongs to std::call_once, {{.*}}; call the function itself {{.*}} [IZ207]
  std::call_once(flag, [&] { y = x * x; });
  return y;
}
static double in, out;
static void *square(void *) {
  out = in * in;
  return nullptr;
}
double squareInThread(double x) {
  in = x;
  pthread_t thread;
  // CHECK: error: 'pthread_create' belongs to the library of threads, {{.*}} [IZ201]
  pthread_create(&thread, nullptr, square, nullptr);
  pthread_join(thread, nullptr);
  return out;
}
int main() {
  __enzyme_autodiff((void *)squareOnce, 3.0);
  __enzyme_autodiff((void *)squareInThread, 3.0);
}
#else
static double table[2], scaled[2];
static pthread_once_t filled = PTHREAD_ONCE_INIT;
static void fill() {
  for (int i = 0; i < 2; i++)
    table[i] = i + 1.5;
}
double byTable(double x) {
  pthread_once(&filled, fill);
  scaled[0] = x * table[1];
  scaled[1] = x;
  return scaled[0] * scaled[1];
}
static std::once_flag flag;
static double factor;
double byFactor(double x) {
  std::call_once(flag, [] { factor = 2; });
  return x * x * factor;
}
int main() {
  // VALUES: 15 12
  std::printf("%g %g\n", __enzyme_autodiff((void *)byTable, 3.0), __enzyme_autodiff((void *)byFactor, 3.0));
}
#endif
