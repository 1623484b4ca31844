// Hooks that libraries have and few programs set: optional callbacks, error handlers, functions for
// memory, and messages that are formatted here and printed by a hook.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdarg.h>
#define FAR __attribute__((noinline))

// 1 A callback that is null, of a type that no function of this file has.
struct solver {
  double (*value)(void *context, const double *x, int n);
  int (*progress)(void *context, const double *x, double value, double step, int n);
  void *context;
};
static double weighted(void *context, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += ((double *)context)[i] * x[i] * x[i];
  return sum;
}
FAR double solve(double *x, int n, struct solver s) {
  double value = s.value(s.context, x, n), step = 0.1;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      x[i] -= step * x[i] * value;
    value = s.value(s.context, x, n);
    if (s.progress && s.progress(s.context, x, value, step, n))
      return 0;
  }
  return value;
}
double optional(const double *in, int n) {
  double x[4];
  memcpy(x, in, n * sizeof *x);
  struct solver s = {weighted, NULL, (void *)in};
  return solve(x, n, s);
}

// 2 An error handler that nobody sets, and what is done without one.
typedef void handler(const char *reason, const char *file, int line, double value);
handler *on_error;
static int errors;
FAR void fail(const char *reason, int line, double value) {
  if (on_error) {
    on_error(reason, __FILE__, line, value);
    return;
  }
  errors++;
  if (value < -1e6)
    abort();
}
FAR double root(double x) {
  if (x < 0) {
    fail("negative", __LINE__, x);
    return -sqrt(-x);
  }
  return sqrt(x);
}
double handled(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += root(x[i] - 0.5) * x[i];
  return sum;
}

// 3 Memory by pointers to the functions of the library, which may be exchanged.
struct memory {
  void *(*take)(size_t);
  void *(*change)(void *, size_t);
  void (*give)(void *);
};
static struct memory memory = {malloc, realloc, free};
void exchange(const struct memory *m) { memory = *m; }
double taken(const double *x, int n) {
  size_t room = 1, used = 0;
  double *list = memory.take(room * sizeof *list), sum = 0;
  for (int i = 0; i < n; i++) {
    if (used == room) {
      room *= 2;
      list = memory.change(list, room * sizeof *list);
    }
    list[used++] = sin(x[i]) * x[(i + 1) % n];
  }
  for (size_t i = 0; i < used; i++)
    sum += list[i] * list[used - 1 - i];
  memory.give(list);
  return sum;
}

// 4 Messages: formatted here, printed by whom the program names.
static int lines;
static void count(const char *text) { lines += strchr(text, '\n') != NULL; }
void (*print)(const char *text) = count;
void (*printAt)(int level, const char *text);
static void info(const char *format, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  buffer[sizeof buffer - 1] = 0;
  print(buffer);
  if (printAt)
    printAt(2, buffer);
}
double told(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i] * sum + x[i];
    info("%d: sum = %g of %g\n", i, sum, x[i]);
  }
  return sum;
}


#define TEST(F)                                                                                    \
  {                                                                                                \
    double x[4], d[4] = {0}, t[4];                                                                 \
    fill(x, 4, 3, 0.1, 1.2);                                                                       \
    fill(t, 4, 7, -1, 1);                                                                          \
    __enzyme_autodiff((void *)F, x, d, 4);                                                         \
    CHECK_SLOPES(#F, 4, x, d, F(x, 4));                                                            \
    CHECK_FORWARD(#F, __enzyme_fwddiff((void *)F, x, t, 4), 4, t, d);                              \
  }

int main(void) {
  TEST(optional);
  TEST(handled);
  TEST(taken);
  TEST(told);
  if (!errors || !lines)
    printf("FAILED: %d errors, %d lines\n", errors, lines), failures++;
  return finish();
}
