// One-dimensional finite elements: assembly from an element table, boundary values, Thomas's algorithm.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  int left, right;
  double stiffness, load;
} Element;
typedef struct {
  int nodes, elements;
  const double *x;
  const Element *element;
} Mesh;
typedef struct {
  double *lower, *diagonal, *upper, *right;
} Tridiagonal;

static int allocate(Tridiagonal *t, int n) {
  double *block = (double *)calloc(4 * (size_t)n, sizeof(double));
  if (!block)
    return 0;
  t->lower = block;
  t->diagonal = block + n;
  t->upper = block + 2 * n;
  t->right = block + 3 * n;
  return 1;
}
static void assemble(const Mesh *m, Tridiagonal *t) {
  static const double points[2] = {0.21132486540518713, 0.7886751345948129};
  for (int e = 0; e < m->elements; e++) {
    const Element *el = m->element + e;
    const int i = el->left, j = el->right;
    const double h = m->x[j] - m->x[i];
    double k = 0, f[2] = {0, 0};
    for (int q = 0; q < 2; q++) { /* stiffness grows along the element */
      const double s = points[q];
      k += 0.5 * el->stiffness * (1 + 0.3 * s) / h;
      f[0] += 0.5 * h * el->load * (1 - s) * (1 + s * s);
      f[1] += 0.5 * h * el->load * s * (1 + s * s);
    }
    t->diagonal[i] += k;
    t->diagonal[j] += k;
    t->upper[i] -= k;
    t->lower[j] -= k;
    t->right[i] += f[0];
    t->right[j] += f[1];
  }
}
static void setValue(Tridiagonal *t, int i, double value) {
  t->diagonal[i] = 1;
  t->lower[i] = t->upper[i] = 0;
  t->right[i] = value;
}
static void thomas(Tridiagonal *t, int n) {
  for (int i = 1; i < n; i++) {
    const double w = t->lower[i] / t->diagonal[i - 1];
    t->diagonal[i] -= w * t->upper[i - 1];
    t->right[i] -= w * t->right[i - 1];
  }
  t->right[n - 1] /= t->diagonal[n - 1];
  for (int i = n - 2; i >= 0; i--)
    t->right[i] = (t->right[i] - t->upper[i] * t->right[i + 1]) / t->diagonal[i];
}

/* Displacements for given ends go to u; returns false without memory. */
_Bool solve(const Mesh *m, const double ends[2], double *u) {
  Tridiagonal t;
  if (!allocate(&t, m->nodes))
    return 0;
  assemble(m, &t);
  setValue(&t, 0, ends[0]);
  setValue(&t, m->nodes - 1, ends[1]);
  thomas(&t, m->nodes);
  memcpy(u, t.right, m->nodes * sizeof *u);
  free(t.lower);
  return 1;
}

enum { N = 7, E = N - 1 };

int main(void) {
  double x[N] = {0, 0.3, 0.5, 1.1, 1.4, 1.9, 2.2}, dx[N] = {0}, tx[N], r[4 * N];
  double ends[2] = {0.2, -0.4}, dends[2] = {0}, tends[2] = {0.7, 0.1};
  double u[N], du[N], tu[N], w[N];
  Element e[E], de[E], te[E];
  fill(r, 4 * N, 60, 0.5, 1.5);
  fill(tx, N, 61, -1, 1);
  fill(w, N, 62, -1, 1);
  for (int i = 0; i < E; i++) {
    e[i] = (Element){(i + 2) % E, (i + 2) % E + 1, r[i], r[N + i]};
    de[i] = (Element){e[i].left, e[i].right, 0, 0};
    te[i] = (Element){e[i].left, e[i].right, r[2 * N + i], -r[3 * N + i]};
  }
  Mesh m = {N, E, x, e}, dm = {N, E, dx, de}, tm = {N, E, tx, te};
  memcpy(du, w, sizeof w);
  __enzyme_autodiff((void *)solve, &m, &dm, ends, dends, u, du);
#define WEIGHTED (solve(&m, ends, u), innerProduct(w, u, N))
  double inner = innerProduct(tx, dx, N) + innerProduct(tends, dends, 2);
  CHECK_SLOPES("x", N, x, dx, WEIGHTED);
  CHECK_SLOPES("ends", 2, ends, dends, WEIGHTED);
  for (int i = 0; i < E; i++) {
    CHECK_AT("stiffness", i, de[i].stiffness, SLOPE(e[i].stiffness, WEIGHTED));
    CHECK_AT("load", i, de[i].load, SLOPE(e[i].load, WEIGHTED));
    inner += te[i].stiffness * de[i].stiffness + te[i].load * de[i].load;
  }
  __enzyme_fwddiff((void *)solve, &m, &tm, ends, tends, u, tu);
  CHECK("forward", innerProduct(w, tu, N), inner);
  return finish();
}
