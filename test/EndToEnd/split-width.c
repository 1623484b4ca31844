// Both halves for several directions at once, with every way to pass shadows and seeds.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_dupv, enzyme_dupnoneedv, enzyme_interleave, enzyme_byref, enzyme_not_overwritten;
typedef struct {
  void *tape;
  double value;
} Augmented;
typedef struct {
  double lane[2];
} Two;
typedef struct {
  double lane[3];
} Three;
typedef struct {
  double lane[16];
} Sixteen;
typedef struct {
  double dx[3], dy[3];
} Gradients;
typedef struct {
  double dx, dy;
} Pair;
Augmented __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_tape(void *, ...);
double __enzyme_reverse(void *, ...);
Two __enzyme_reverse_two(void *, ...);
Sixteen __enzyme_reverse_sixteen(void *, ...);
Gradients __enzyme_reverse_gradients(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
Pair __enzyme_reverse_pair(void *, ...);

double f(double x, double y) {
  double r = x;
  for (int i = 0; i < 3; i++)
    r = r * y > 1 ? sin(r * x) : r * y + x * x;
  return r;
}
double squares(const double *p, int n) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r += p[i] * p[i] * (i + 1);
  return r;
}
void mix(double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * b[i] + sin(a[i]);
}
typedef struct {
  float re, im;
} Complex;
Complex multiply(float a, float b) { return (Complex){a * b, a + b * b}; }
typedef struct {
  float da, db;
} Floats;
Floats __enzyme_reverse_floats(void *, ...);
void *__enzyme_augmentfwd_complex(void *, ...);

static void values(void) {
  double x = 0.8, y = 0.6, fx = SLOPE(x, f(x, y)), fy = SLOPE(y, f(x, y));
  void *tape = __enzyme_augmentfwd_tape((void *)f, enzyme_width, 2, x, enzyme_const, y);
  Two seed = {{1, -2}};
  Two two = __enzyme_reverse_two((void *)f, enzyme_width, 2, x, enzyme_const, y, seed, tape);
  CHECK("two 0", two.lane[0], fx);
  CHECK("two 1", two.lane[1], -2 * fx);
  Three seeds = {{1, 2, 3}};
  tape = __enzyme_augmentfwd_tape((void *)f, enzyme_width, 3, x, y);
  Gradients g = __enzyme_reverse_gradients((void *)f, enzyme_width, 3, x, y, seeds, tape);
  for (int i = 0; i < 3; i++) {
    CHECK_AT("dx", i, g.dx[i], (i + 1) * fx);
    CHECK_AT("dy", i, g.dy[i], (i + 1) * fy);
  }
  tape = __enzyme_augmentfwd_tape((void *)f, enzyme_width, 3, x, y);
  g = __enzyme_reverse_gradients((void *)f, enzyme_width, 3, x, y, enzyme_byref, 24, &seeds, tape);
  CHECK("by reference", g.dy[2], 3 * fy);
  Sixteen many;
  fill(many.lane, 16, 5, -1, 1);
  tape = __enzyme_augmentfwd_tape((void *)f, enzyme_width, 16, x, enzyme_const, y);
  Sixteen all = __enzyme_reverse_sixteen((void *)f, enzyme_width, 16, x, enzyme_const, y, many, tape);
  for (int i = 0; i < 16; i++)
    CHECK_AT("sixteen", i, all.lane[i], many.lane[i] * fx);
  Complex unit = {1, 0.5f};
  tape = __enzyme_augmentfwd_complex((void *)multiply, 2.0f, 3.0f);
  Floats c = __enzyme_reverse_floats((void *)multiply, 2.0f, 3.0f, unit, tape);
  CHECK("da", c.da, 3 + 0.5);
  CHECK("db", c.db, 2 + 0.5 * 6);
}

static void memory(void) {
  enum { N = 4 };
  double p[N] = {1, 2, 3, 4}, rows[3][N] = {{0}};
  Augmented a = __enzyme_augmentfwd((void *)squares, enzyme_width, 3, enzyme_dupv, sizeof rows[0], p,
                                    rows, enzyme_const, N);
  Three seeds = {{1, 10, 100}};
  __enzyme_reverse_nothing((void *)squares, enzyme_width, 3, enzyme_dupv, sizeof rows[0], p, rows,
                           enzyme_const, N, seeds, a.tape);
  CHECK("value", a.value, squares(p, N));
  for (int i = 0; i < N; i++)
    for (int lane = 0; lane < 3; lane++)
      CHECK_AT("strided", i, rows[lane][i], seeds.lane[lane] * 2 * p[i] * (i + 1));
  double q[N], b[N] = {0.5, 1.5, -1, 2}, dq[2][N], db[2][N] = {{0}}, once[N], zero[N] = {0};
  for (int i = 0; i < N; i++) {
    q[i] = p[i];
    dq[0][i] = once[i] = 1 + i;
    dq[1][i] = -i;
  }
  void *tape = __enzyme_augmentfwd_tape((void *)mix, enzyme_width, 2, q, b, enzyme_const, N, enzyme_interleave,
                                        dq[0], dq[1], db[0], db[1]);
  for (int i = 0; i < N; i++)
    CHECK_AT("primal", i, q[i], p[i] * b[i] + sin(p[i]));
  __enzyme_reverse_nothing((void *)mix, enzyme_width, 2, q, b, enzyme_const, N, enzyme_interleave, dq[0], dq[1],
                           db[0], db[1], tape);
  for (int i = 0; i < N; i++) {
    CHECK_AT("interleaved a", i, dq[0][i], once[i] * (b[i] + cos(p[i])));
    CHECK_AT("interleaved b", i, db[1][i], -i * p[i]);
  }
  // Shadows that are not needed afterwards, and promises.
  memcpy(q, p, sizeof q);
  memcpy(dq[0], once, sizeof once);
  tape = __enzyme_augmentfwd_tape((void *)mix, enzyme_dupnoneed, q, dq[0], enzyme_not_overwritten,
                                  enzyme_dup, b, zero, N);
  __enzyme_reverse_nothing((void *)mix, enzyme_dupnoneed, q, dq[0], enzyme_not_overwritten,
                           enzyme_dup, b, zero, N, tape);
  for (int i = 0; i < N; i++)
    CHECK_AT("promised", i, zero[i], once[i] * p[i]);
}

int main(void) {
  values();
  memory();
  return finish();
}
