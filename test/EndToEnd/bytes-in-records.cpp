// Records with bytes between their members or behind the last one, which hold nothing, and records with arrays of
// bytes in which the program keeps numbers, copied by functions that see neither.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <queue>
#include <utility>
#include <vector>

template <typename T> __attribute__((noinline)) static void copy(T *to, const T *from, int n) {
  memcpy(to, from, n * sizeof(T));
}

struct Tagged {
  int tag;
  char payload[4]; // A float.
  double d;
  int last;
  Tagged() : last(1) {}
};
__attribute__((noinline)) static void put(Tagged *r, float x) { memcpy(r->payload, &x, sizeof x); }
__attribute__((noinline)) static float get(const Tagged *r) {
  float x;
  memcpy(&x, r->payload, sizeof x);
  return x;
}
static double named(const double *in, int n) {
  Tagged a[6], b[6];
  for (int i = 0; i < n; i++) {
    put(&a[i], in[i] * in[0]);
    a[i].d = in[i];
  }
  copy(b, a, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += get(&b[i]) * b[i].d;
  return sum;
}
// Its bytes are the place of numbers as soon as a variable has them: the code of that names no member.
struct Global {
  double d;
  char payload[8];
} variable;
static double global(const double *in, int n) {
  Global to;
  *(double *)variable.payload = in[0] * in[1];
  variable.d = in[2] * n;
  copy(&to, &variable, 1);
  double x;
  memcpy(&x, (char *)&to + 8, sizeof x);
  return x * x + to.d;
}

// Bytes that nobody names may be kept free for the members of other records.
struct Base {
  int kind, more;
  char reserved[8];
};
struct Circle {
  int kind, more;
  double radius;
};
__attribute__((noinline)) static void exchange(Base *a, Base *b) {
  Base t = *a;
  *a = *b;
  *b = t;
}
static double reserved(const double *in, int n) {
  Base shapes[6];
  for (int i = 0; i < n; i++) {
    Circle *c = (Circle *)&shapes[i];
    c->kind = c->more = i;
    c->radius = in[i] * in[0];
  }
  exchange(&shapes[0], &shapes[3]);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += ((Circle *)&shapes[i])->radius * ((Circle *)&shapes[i])->radius * (i + 1);
  return sum;
}

struct Empty {};
struct Filled {
  double a;
  [[no_unique_address]] Empty nothing;
  int k;
  Filled() : k(3) {}
};
static double filled(const double *in, int n) {
  Filled a[6], b[6];
  for (int i = 0; i < n; i++)
    a[i].a = in[i] * in[0];
  copy(b, a, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += b[i].a * b[i].a * b[i].k;
  return sum;
}
static double queued(const double *in, int n) {
  std::priority_queue<std::pair<double, int>> q;
  for (int i = 0; i < n; i++)
    q.push({in[i] * in[0], i});
  double sum = 0;
  for (; !q.empty(); q.pop())
    sum = sum * 0.9 + q.top().first * q.top().second;
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, filled, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, queued, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, reserved, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, global, 6, x, t, 6);
  double gradient[6] = {0}; // Of float precision, so not against differences.
  GRADIENT_OF((void *)named, x, gradient, 6);
  for (int i = 1; i < 6; i++)
    checkWithin("named", i, gradient[i], 2 * x[0] * x[i], 1e-6, 1e-6);
  return finish();
}
