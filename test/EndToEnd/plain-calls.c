// Entry points that are not about one derivative: inactive calls, batches, counters of nesting,
// shadows of functions.
// UNSUPPORTED: memcheck-prepared
// (__enzyme_iter counts in what is differentiated, and does not in what the user wrote.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_scalar, enzyme_vector, enzyme_buffer;
double __enzyme_call_inactive(void *, ...);
int __enzyme_iter(int, int);
void *__enzyme_virtualreverse(void *);
typedef struct {
  double lane[3];
} Three;
typedef struct {
  float a, b;
} TwoFloats;
typedef struct {
  double x, y, z;
} Point;
typedef struct {
  Point lane[2];
} TwoPoints;
Three __enzyme_batch(void *, ...);
TwoFloats __enzyme_batch_float(void *, ...);
TwoPoints __enzyme_batch_points(void *, ...);
void __enzyme_batch_nothing(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);

static int calls;
double logged(double x) {
  calls++;
  return 3 * x;
}
double quiet(double x) { return x * __enzyme_call_inactive((void *)logged, x); }
static double quieter(float x, int n) { return __enzyme_call_inactive((void *)logged, (double)x) * n * x; }

static void inactive(void) {
  CHECK("inactive", __enzyme_autodiff((void *)quiet, 2.0), 6);
  CHECK("called once", calls, 1);
  CHECK("inactive forward", __enzyme_fwddiff((void *)quiet, 2.0, 1.0), 6);
  CHECK("not differentiated", quiet(2.0), 12);
  CHECK("calls", calls, 3);
  CHECK("promoted", __enzyme_fwddiff((void *)quieter, 2.0f, 1.0f, 2), 12);
}

double root(double x, double y) {
  double r = y;
  while (r * r > x * 1.000001)
    r = 0.5 * (r + x / r);
  return x < 1 ? -r : r;
}
float product(float x, int n) { return x * n; }
Point moved(double x, double by) { return (Point){x + by, x - by, x * by}; }
void square(double *p, double by) { *p *= *p * by; }
double lanes(double x, double y) {
  Three t = __enzyme_batch((void *)root, enzyme_width, 3, enzyme_vector, x, x * y, x + y,
                           enzyme_scalar, 10.0);
  return t.lane[0] * t.lane[1] + t.lane[2];
}

static void batches(void) {
  Three t = __enzyme_batch((void *)root, enzyme_width, 3, enzyme_vector, 2.0, 0.5, 9.0,
                           enzyme_scalar, 10.0);
  CHECK("batch 0", t.lane[0], root(2, 10));
  CHECK("batch 1", t.lane[1], root(0.5, 10));
  CHECK("batch 2", t.lane[2], root(9, 10));
  t = __enzyme_batch((void *)root, enzyme_width, 3, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
  CHECK("no marker", t.lane[2], root(4, 7));
  TwoFloats f = __enzyme_batch_float((void *)product, enzyme_width, 2, 2.0f, 3.0f, enzyme_scalar, 7);
  CHECK("float", f.a + f.b, 35);
  TwoPoints p = __enzyme_batch_points((void *)moved, enzyme_width, 2, 1.0, 2.0, enzyme_scalar, 5.0);
  CHECK("struct 0", p.lane[0].y, -4);
  CHECK("struct 1", p.lane[1].z, 10);
  double memory[3][2] = {{2, 0}, {3, 0}, {4, 0}};
  __enzyme_batch_nothing((void *)square, enzyme_width, 3, enzyme_buffer, sizeof memory[0],
                         enzyme_vector, memory, 1.0, 2.0, 3.0);
  CHECK("buffer 0", memory[0][0], 4);
  CHECK("buffer 1", memory[1][0], 18);
  CHECK("buffer 2", memory[2][0], 48);
  double x = 2, y = 3;
  CHECK("batch differentiated", __enzyme_fwddiff((void *)lanes, x, 1.0, enzyme_const, y),
        SLOPE_WITHIN(1e-4, x, lanes(x, y)));
}

/* The n-th derivative of sin, counted by the tool. */
double wave(double x) {
  int n = __enzyme_iter(0, 1);
  return n * x;
}
double wave1(double x) { return __enzyme_fwddiff((void *)wave, x, 1.0); }
double wave2(double x) { return __enzyme_fwddiff((void *)wave1, x, 1.0); }
double steps(double x) { return x * x * x * __enzyme_iter(1, 2); }
double steps1(double x) { return __enzyme_autodiff((void *)steps, x); }
double steps2(double x) { return __enzyme_autodiff((void *)steps1, x); }

static void iterations(void) {
  CHECK("undifferentiated", wave(2), 0);
  CHECK("once", wave1(2), 1);
  CHECK("twice", wave2(2), 0);
  CHECK("steps", steps(2), 8);
  CHECK("steps once", steps1(2), 3 * 3 * 4);
  CHECK("steps twice", steps2(2), 5 * 6 * 2);
}

typedef struct {
  void *tape;
  double value;
} Augmented;
typedef struct {
  Augmented (*augmented)(double);
  struct {
    double dx;
  } (*reversed)(double, double, void *);
} Shadow;
double cube(double x) { return x * x * x; }
double half(double x) { return 0.5 * x; }
static void *const table[] = {(void *)cube, (void *)half};
void *__enzyme_virtualreverse_table(const void *);

static void shadows(void) {
  void **of = __enzyme_virtualreverse((void *)cube);
  CHECK("two halves", of[0] && of[1], 1);
  void **tables = __enzyme_virtualreverse_table(table);
  CHECK("table", tables[0] == (void *)of, 1);
  CHECK("other", tables[1] != tables[0], 1);
}

int main(void) {
  inactive();
  batches();
  iterations();
  shadows();
  return finish();
}
