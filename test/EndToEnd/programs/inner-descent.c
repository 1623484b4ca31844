// An optimiser inside the function: Adam with learning rates as inputs, best iterate kept, early stop.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double rate, first, second, epsilon;
} Settings;
typedef struct {
  int n, step;
  double *momentum, *square;
} Adam;
typedef struct {
  double a, b;
} Task;

static double rosenbrock(const Task *t, const double *x, int n, double *gradient) {
  double sum = 0;
  if (gradient)
    memset(gradient, 0, n * sizeof *gradient);
  for (int i = 0; i + 1 < n; i++) {
    double u = t->a - x[i], v = x[i + 1] - x[i] * x[i];
    sum += u * u + t->b * v * v;
    if (!gradient)
      continue;
    gradient[i] += -2 * u - 4 * t->b * v * x[i];
    gradient[i + 1] += 2 * t->b * v;
  }
  return sum;
}
static void adamStep(Adam *m, const Settings *s, double *x, const double *g) {
  m->step++;
  const double c1 = 1 - pow(s->first, m->step), c2 = 1 - pow(s->second, m->step);
  for (int i = 0; i < m->n; i++) {
    m->momentum[i] = s->first * m->momentum[i] + (1 - s->first) * g[i];
    m->square[i] = s->second * m->square[i] + (1 - s->second) * g[i] * g[i];
    x[i] -= s->rate * (m->momentum[i] / c1) / (sqrt(m->square[i] / c2) + s->epsilon);
  }
}

/* The lowest value met; x holds the last iterate afterwards. */
double minimise(const Task *task, const Settings *s, double *x, int n, int steps) {
  Adam m = {n, 0, calloc(n, sizeof(double)), calloc(n, sizeof(double))};
  double *g = malloc(n * sizeof *g), best = INFINITY;
  int worse = 0;
  for (int i = 0; i < steps; i++) {
    double value = rosenbrock(task, x, n, g);
    if (value < best) {
      best = value;
      worse = 0;
    } else if (++worse == 4) {
      break;
    }
    adamStep(&m, s, x, g);
  }
  free(m.momentum);
  free(m.square);
  free(g);
  return best + 0.01 * rosenbrock(task, x, n, NULL);
}

enum { N = 4, STEPS = 25 };
static double at(const Task *t, const Settings *s, const double *start) {
  double x[N];
  memcpy(x, start, sizeof x);
  return minimise(t, s, x, N, STEPS);
}

int main(void) {
  Task task = {1, 3}, dtask = {0, 0}, ttask = {0.3, -0.6};
  Settings s = {0.05, 0.9, 0.95, 1e-3}, ds = {0, 0, 0, 0}, ts = {0.02, 0.1, -0.05, 1e-3};
  double start[N], x[N], d[N] = {0}, t[N], tx[N];
  fill(start, N, 7, -1, 1);
  fill(t, N, 8, -1, 1);
  memcpy(x, start, sizeof x);
  __enzyme_autodiff((void *)minimise, &task, &dtask, &s, &ds, x, d, N, STEPS);
  CHECK_SLOPES_WITHIN(1e-4, "task", 2, (double *)&task, (double *)&dtask, at(&task, &s, start));
  CHECK_SLOPES_WITHIN(1e-4, "setting", 4, (double *)&s, (double *)&ds, at(&task, &s, start));
  CHECK_SLOPES_WITHIN(1e-4, "start", N, start, d, at(&task, &s, start));
  memcpy(x, start, sizeof x);
  memcpy(tx, t, sizeof tx);
  double tangent = __enzyme_fwddiff((void *)minimise, &task, &ttask, &s, &ts, x, tx, N, STEPS);
  CHECK("forward", tangent,
        innerProduct((double *)&ttask, (double *)&dtask, 2) +
            innerProduct((double *)&ts, (double *)&ds, 4) + innerProduct(t, d, N));
  return finish();
}
