// Loops over neighbours: what is added to one element of a shadow is summed up in registers first.
// Loops that look like them, but read that shadow in between, add at once.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { Most = 20, Columns = 5 };

static double end(const double *u, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (1 + 0.1 * i) * u[i] * u[i];
  return sum;
}

// Two buffers that change places.
static void heatStep(const double *restrict now, double *restrict next, int n) {
  for (int i = 1; i + 1 < n; i++)
    next[i] = now[i] + 0.2 * (now[i - 1] - 2 * now[i] + now[i + 1]) - 0.1 * now[i] * now[i];
}
static double heat(const double *x, int n) {
  double *now = malloc((n + 1) * sizeof(double)), *next = malloc((n + 1) * sizeof(double));
  memcpy(now, x, n * sizeof(double));
  memcpy(next, x, n * sizeof(double));
  for (int s = 0; s < 5; s++) {
    heatStep(now, next, n);
    double *other = now;
    now = next;
    next = other;
  }
  double sum = end(now, n);
  free(now);
  free(next);
  return sum;
}

// Rows of a rectangle, one of them in front of and one behind that of the loop.
static double plate(const double *x, int n) {
  double u[Most], v[Most];
  int rows = n / Columns;
  for (int i = 0; i < Most; i++)
    u[i] = v[i] = i < n ? x[i] : 0;
  for (int s = 0; s < 3; s++) {
    for (int r = 1; r + 1 < rows; r++)
      for (int i = r * Columns + 1; i + 1 < (r + 1) * Columns; i++)
        v[i] = u[i] * (1 - u[i]) +
               0.2 * (u[i - 1] + u[i + 1] + u[i - Columns] + u[i + Columns] - 4 * u[i]);
    for (int i = 0; i < n; i++)
      u[i] = v[i];
  }
  return end(u, n);
}

// Rows of a square, whose side is known at run time, and rows that overlap: of an element that is
// stored twice, the second time counts.
static double square(const double *x, int n) {
  double *u = calloc(n + 1, sizeof(double)), *v = calloc(n + 1, sizeof(double));
  int side = 0;
  while ((side + 1) * (side + 1) <= n)
    side++;
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int s = 0; s < 3; s++) {
    for (int y = 1; y + 1 < side; y++)
      for (int i = y * side + 1; i + 1 < (y + 1) * side; i++)
        v[i] = u[i] * (1 - u[i]) + 0.2 * (u[i - 1] + u[i + 1] + u[i - side] + u[i + side]);
    for (int y = 1; y + 1 < side; y++)
      for (int i = y * side + 1; i + 1 < (y + 1) * side; i++)
        u[i - y] = sin(v[i]) * v[i - 1] - v[i + 1];
  }
  double sum = end(u, n) + end(v, n);
  free(u);
  free(v);
  return sum;
}

// Planes behind one another, from the first to the last or from the last to the first.
struct box {
  int side, plane, front;
};
__attribute__((noinline)) static void boxStep(const struct box *of, const double *restrict u,
                                              double *restrict v) {
  int side = of->side, plane = of->plane;
  for (int z = 0; z < 2; z++)
    for (int y = 1; y + 1 < side; y++)
      for (int i = of->front + z * plane + y * side + 1;
           i + 1 < of->front + z * plane + (y + 1) * side; i++)
        v[i] = u[i - 1] * u[i + 1] + sin(u[i - side]) * u[i] + u[i + side];
}
static double box(const double *x, int n) {
  double u[Most], v[Most] = {0};
  int side = n >= 18 ? 3 : n >= 4 ? 2 : 0, plane = side * side;
  struct box up = {side, plane, 0}, down = {side, -plane, plane}, same = {side, side - 1, 0};
  for (int i = 0; i < Most; i++)
    u[i] = i < n ? x[i] : 0;
  for (int s = 0; s < 2; s++) {
    boxStep(&up, u, v);
    boxStep(&down, v, u);
    boxStep(&same, u, v);
  }
  return end(u, n) + end(v, n);
}

// Five neighbours, backwards, and in an index that may be negative.
static double wide(const double *x, int n) {
  double out[Most] = {0};
  for (int i = n - 3; i >= 2; i--)
    out[i] = sin(x[i - 2] * x[i + 2]) - x[i + 1] * x[i] + 0.5 * x[i - 1];
  const double *middle = x + n / 2;
  for (int i = -(n / 2); i + 1 < n - n / 2; i++)
    out[i + n / 2] += middle[i] * middle[i + 1];
  return end(out, n);
}

// The same element twice, and one that is left out.
int one = 1;
static double twice(const double *x, int n) {
  double out[Most] = {0};
  for (int i = 0; i + 1 < n; i++)
    out[i] = x[i] * x[i + one] * x[i + 1];
  for (int i = 1; i + 1 < n; i++)
    out[i] += x[i + 1] * x[i - 1];
  return end(out, n);
}

// Elements that one iteration leaves out, and the next one reads, if there is one.
__attribute__((noinline)) static void central(const double *restrict x, double *restrict out,
                                              int n) {
  for (int i = 1; i + 1 < n; i++)
    out[i] = sin(x[i + 1]) - x[i - 1] * x[i - 1];
}
static double slopes(const double *x, int n) {
  double out[Most] = {0};
  central(x, out, n);
  for (int i = 2; i + 2 < n; i++)
    out[i] += (x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) * out[0] + x[i - 2] * x[i + 1];
  for (int i = n - 4; i >= 0; i--)
    out[i] -= x[i] * x[i + 1] * x[i + 3] + x[i + 3];
  return end(out, n);
}

// Rows of constant length lie at constant distances: those of each row are summed up by themselves.
static double laplace(const double *x, int n) {
  double u[4][Columns] = {{0}}, v[4][Columns];
  for (int i = 0; i < n; i++)
    u[i / Columns][i % Columns] = x[i];
  for (int s = 0; s < 3; s++) {
    for (int r = 1; r < 3; r++)
      for (int i = 1; i + 1 < Columns; i++)
        v[r][i] = 0.25 * (u[r - 1][i] + u[r + 1][i] + u[r][i - 1] + u[r][i + 1]);
    for (int r = 1; r < 3; r++)
      for (int i = 1; i + 1 < Columns; i++)
        u[r][i] = v[r][i] * (1.5 - v[r][i]);
  }
  return end(u[0], 4 * Columns);
}

// What a single iteration leaves out is not even touched: it need not be a number.
static void untouched(void) {
  double x[3] = {0.5, 0, 0.25}, dx[3] = {0}, y[3] = {0}, dy[3] = {0, 1, 0};
  const unsigned long long signalling = 0x7ff0000000000001;
  memcpy(dx + 1, &signalling, 8);
  __enzyme_autodiff((void *)central, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  CHECK("left of the gap", dx[0], -2 * x[0]);
  CHECK("right of the gap", dx[2], cos(x[2]));
  CHECK("the gap", memcmp(dx + 1, &signalling, 8), 0);
}

// In place: what is stored is what the next iteration reads.
static double inPlace(const double *x, int n) {
  double u[Most];
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int s = 0; s < 2; s++) {
    for (int i = 1; i + 1 < n; i++)
      u[i] = 0.3 * u[i - 1] * u[i] + u[i + 1];
    for (int i = 0; i + 2 < n; i++)
      u[i] = u[i] + sin(u[i + 1]);
  }
  return end(u, n);
}

// Rows whose loops count up, and rows of which the next one overwrites the end.
static double grid(const double *x, int n) {
  double u[Most] = {0}, v[Most] = {0};
  long rows = n / Columns;
  for (long r = 0; r + 1 < rows; r++)
    for (long i = 1; i + 1 < Columns; i++)
      u[r * Columns + i] = x[r * Columns + i] * x[r * Columns + i - 1] + x[r * Columns + i + 1] +
                           sin(x[r * Columns + i + Columns]);
  for (long r = 0; r + 1 < rows; r++)
    for (long i = 0; i + 1 < Columns; i++)
      v[r * (Columns - 2) + i] = u[r * Columns + i] * u[r * Columns + i + 1] + 0.1 * r * i;
  return end(u, n) + end(v, n);
}

// Each element is stored twice, and the second time counts.
static double halves(const double *x, int n) {
  double u[Most] = {0}, v[Most] = {0}, last = 0;
  for (int i = 0; i + 1 < n; i++)
    u[i / 2] = x[i] * x[i + 1];
  for (int i = 0; i + 1 < n; i++)
    v[i] = last = sin(u[i] + x[i]) * u[i + 1];
  return end(u, n) + end(v, n) + 3 * last;
}

// Buffers that overlap in one call and do not in the other.
__attribute__((noinline)) static void shifted(const double *in, double *out, int n) {
  for (int i = 0; i + 1 < n; i++)
    out[i] = in[i] * in[i + 1] + in[i];
}
static double overlapping(const double *x, int n) {
  double u[Most + 1], v[Most + 1] = {0};
  for (int i = 0; i <= n; i++)
    u[i] = i < n ? x[i] : 0.5;
  shifted(u, v, n);
  shifted(u, u + 1, n);
  shifted(v, v, n);
  return end(u, n) + end(v, n);
}

// Restricted, in a function of its own, and a number of iterations that is known afterwards only.
__attribute__((noinline)) static int until(const double *restrict in, double *restrict out, int n) {
  int i = 0;
  double last;
  do {
    last = in[i] * in[i + 1];
    out[i] = last;
    i++;
  } while (i + 1 < n && last < 10);
  return i;
}
static double untilSum(const double *x, int n) {
  double out[Most] = {0};
  return n < 2 ? 0 : until(x, out, n) + end(out, n);
}

// Pairs: each row reads one element again and again, and writes to another array.
static double pairs(const double *x, int n) {
  double force[Most] = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double d = x[i] - x[j], pull = d / ((d * d + 0.1) * sqrt(d * d + 0.1));
      force[i] -= pull;
      if (d > 0.3)
        force[j] += pull * x[i];
      else
        force[j] += sin(pull);
    }
  return end(force, n);
}

// The element that all read is overwritten by one of them, or is another one behind a branch.
__attribute__((noinline)) static void fade(double *u, const double *by, int n) {
  for (int i = 0; i < n; i++)
    u[i] = sin(u[i]) * by[0] + (i % 3 ? by[1] : u[i] * 0.5);
}
static double faded(const double *x, int n) {
  double u[Most + 2], v[2] = {0.5, 0.25};
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  u[n] = u[n + 1] = 0.5;
  fade(u, u, n);
  fade(u, v, n);
  fade(u, u + n / 2, n);
  fade(u, x, n > 1 ? n : 0);
  return end(u, n);
}

// An element behind the end, which no iteration comes to.
__attribute__((noinline)) static void untilLarge(const double *restrict x, const double *restrict c,
                                                 double *restrict y, int n) {
  for (int i = 0; i < n && x[i] < 0.9; i++)
    y[i] = sin(x[i]) * c[0];
}
static double small(const double *x, int n) {
  double y[Most] = {0};
  untilLarge(x, x + n, y, n > 1 && x[0] > 0.9 ? n : 0);
  untilLarge(x, x + n / 2, y, n);
  return end(y, n);
}

// Members of records, upwards and downwards.
struct cell {
  double height, speed;
  float weight;
  int kind;
};
__attribute__((noinline)) static void flow(const struct cell *restrict now,
                                           struct cell *restrict next, int n) {
  for (int i = 1; i + 1 < n; i++) {
    double slope = (now[i + 1].height - now[i - 1].height) * now[i].speed;
    next[i].height = now[i].height - 0.2 * slope * (now[i + 1].speed - now[i].speed);
    next[i].speed = now[i].speed - slope * now[i - 1].weight + (now[i].kind ? slope : 0);
    next[i].weight = (float)(now[i + 1].weight * 0.5);
  }
  for (int i = n - 3; i >= 0; i--)
    next[i].speed += now[i + 2].speed * now[i].height + now[i + 1].height;
}
static double cells(const double *x, int n) {
  struct cell a[Most] = {{0}}, b[Most] = {{0}};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    a[i].height = x[i];
    a[i].speed = x[n - 1 - i] * 0.5;
    a[i].weight = (float)(i * 0.25);
    a[i].kind = i % 2;
  }
  flow(a, b, n);
  flow(b, a, n);
  for (int i = 0; i < n; i++)
    sum += (a[i].height + 0.5 * b[i].speed) * a[i].height + b[i].height * a[i].speed * (i + 1);
  return sum;
}

// Every second element: the neighbours of an iteration are those of the next one, or in between.
static double seconds(const double *x, int n) {
  double out[Most] = {0};
  for (int i = 1; 2 * i + 3 < n; i++)
    out[i] = x[2 * i] * x[2 * i + 2] + x[2 * i - 2] * x[2 * i + 1] - sin(x[2 * i + 3]);
  return end(out, n);
}

// Nothing is written beside what was read.
#define TEST(F)                                                                                    \
  do {                                                                                             \
    double around[Most + 4];                                                                       \
    for (int i = 0; i < Most + 4; i++)                                                             \
      around[i] = i >= 2 && i < n + 2 ? 0.25 : 100 + i;                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, around + 2, enzyme_const, n);                      \
    for (int i = 0; i < n; i++)                                                                    \
      CHECK_AT(#F, i, around[i + 2] - 0.25, SLOPE_WITHIN(1e-3, x[i], F(x, n)));                    \
    for (int i = 0; i < Most + 4; i++)                                                             \
      if ((i < 2 || i >= n + 2) && around[i] != 100 + i) {                                         \
        printf("FAILED %s: shadow[%d] is written\n", #F, i - 2);                                   \
        failures++;                                                                                \
      }                                                                                            \
  } while (0)

// Two derivatives at once.
static void together(const double *x, int n) {
  double in[2][Most] = {{0}}, out[2][Most] = {{0}}, result[Most] = {0};
  for (int i = 0; i < n; i++) {
    out[0][i] = 1;
    out[1][i] = i;
  }
  __enzyme_autodiff((void *)heatStep, enzyme_width, 2, enzyme_dup, x, in[0], in[1], enzyme_dup,
                    result, out[0], out[1], enzyme_const, n);
  for (int lane = 0; lane < 2; lane++)
    for (int i = 0; i < n; i++) {
      double expected = 0;
      for (int j = 1; j + 1 < n; j++) {
        double weight = lane ? j : 1;
        expected += weight * (j == i ? 0.6 - 0.2 * x[i] : j == i - 1 || j == i + 1 ? 0.2 : 0);
      }
      CHECK_AT("together", i, in[lane][i], expected);
    }
}

int main() {
  double x[Most];
  for (int i = 0; i < Most; i++)
    x[i] = sin(1.7 * i) + 0.2;
  for (int n = 0; n <= Most; n += n < 8 ? 1 : 6) {
    TEST(heat);
    TEST(plate);
    TEST(square);
    TEST(box);
    TEST(grid);
    TEST(halves);
    TEST(inPlace);
    TEST(overlapping);
    TEST(untilSum);
    TEST(twice);
    TEST(slopes);
    TEST(cells);
    TEST(seconds);
    TEST(laplace);
    TEST(pairs);
    TEST(faded);
    TEST(small);
    together(x, n);
    if (n >= 4)
      TEST(wide);
  }
  untouched();
  return finish();
}
