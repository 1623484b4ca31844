// Kinematics of a hand: a chain of 4x4 matrices, parents by index, skinned vertices, all on the heap.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  int nrows, ncols;
  double *data; /* by columns */
} Matrix;

static Matrix *new_matrix(int nrows, int ncols) {
  Matrix *m = (Matrix *)malloc(sizeof(Matrix));
  m->nrows = nrows;
  m->ncols = ncols;
  m->data = (double *)malloc(nrows * ncols * sizeof(double));
  return m;
}
static void delete_matrix(Matrix *m) {
  if (m != NULL) {
    free(m->data);
    free(m);
  }
}
static void set_identity(Matrix *m) {
  for (int c = 0; c < m->ncols; c++)
    for (int r = 0; r < m->nrows; r++)
      m->data[r + c * m->nrows] = r == c;
}
static void mat_mult(const Matrix *l, const Matrix *r, Matrix *out) {
  for (int i = 0; i < l->nrows; i++)
    for (int k = 0; k < r->ncols; k++) {
      double sum = 0;
      for (int j = 0; j < l->ncols; j++)
        sum += l->data[i + j * l->nrows] * r->data[j + k * r->nrows];
      out->data[i + k * out->nrows] = sum;
    }
}
static void euler(const double *angles, const double *offset, Matrix *out) {
  double tx = angles[0], ty = angles[1], tz = angles[2];
  Matrix *x = new_matrix(4, 4), *y = new_matrix(4, 4), *z = new_matrix(4, 4),
         *xy = new_matrix(4, 4);
  set_identity(x);
  set_identity(y);
  set_identity(z);
  x->data[5] = x->data[10] = cos(tx);
  x->data[6] = sin(tx);
  x->data[9] = -x->data[6];
  y->data[0] = y->data[10] = cos(ty);
  y->data[8] = sin(ty);
  y->data[2] = -y->data[8];
  z->data[0] = z->data[5] = cos(tz);
  z->data[1] = sin(tz);
  z->data[4] = -z->data[1];
  mat_mult(z, y, xy);
  mat_mult(xy, x, out);
  for (int i = 0; i < 3; i++)
    out->data[12 + i] = offset[i];
  delete_matrix(x);
  delete_matrix(y);
  delete_matrix(z);
  delete_matrix(xy);
}

enum { BONES = 5, VERTICES = 3, ANGLES = 3 * BONES };
static const int parents[BONES] = {-1, 0, 1, 1, 3};
static const double offsets[BONES][3] = {
    {0, 0, 0}, {1, 0.2, 0}, {0.8, 0, 0.1}, {0.5, -0.4, 0}, {0.3, 0, 0}};
static const double weights[BONES][VERTICES] = {
    {0.1, 0, 0.3}, {0.2, 0.5, 0}, {0.7, 0, 0}, {0, 0.25, 0.2}, {0, 0.25, 0.5}};

/* errors = skinned vertices - targets */
void handObjective(const double *angles, const double *base, const double *targets,
                   double *errors) {
  Matrix *absolute[BONES], *relative = new_matrix(4, 4);
  for (int b = 0; b < BONES; b++) {
    absolute[b] = new_matrix(4, 4);
    euler(angles + 3 * b, offsets[b], relative);
    if (parents[b] == -1)
      memcpy(absolute[b]->data, relative->data, 16 * sizeof(double));
    else
      mat_mult(absolute[parents[b]], relative, absolute[b]);
  }
  for (int v = 0; v < VERTICES; v++)
    for (int i = 0; i < 3; i++) {
      double sum = -targets[3 * v + i];
      for (int b = 0; b < BONES; b++) {
        if (weights[b][v] == 0)
          continue;
        double moved = absolute[b]->data[12 + i];
        for (int j = 0; j < 3; j++)
          moved += absolute[b]->data[i + 4 * j] * base[3 * v + j];
        sum += weights[b][v] * moved;
      }
      errors[3 * v + i] = sum;
    }
  for (int b = 0; b < BONES; b++)
    delete_matrix(absolute[b]);
  delete_matrix(relative);
}

enum { ERRORS = 3 * VERTICES, ALL = ANGLES + ERRORS };
static double weighted(const double *x, const double *targets, const double *u) {
  double errors[ERRORS];
  handObjective(x, x + ANGLES, targets, errors);
  return innerProduct(u, errors, ERRORS);
}

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0}, targets[ERRORS], errors[ERRORS], u[ERRORS], du[ERRORS],
                         te[ERRORS] = {0};
  fill(x, ALL, 8, -1, 1);
  fill(t, ALL, 9, -1, 1);
  fill(targets, ERRORS, 10, -1, 1);
  fill(u, ERRORS, 11, -1, 1);
  memcpy(du, u, sizeof u);
  __enzyme_autodiff((void *)handObjective, x, d, x + ANGLES, d + ANGLES, enzyme_const, targets,
                    errors, du);
  CHECK_SLOPES("x", ALL, x, d, weighted(x, targets, u));
  __enzyme_fwddiff((void *)handObjective, x, t, x + ANGLES, t + ANGLES, enzyme_const, targets,
                   errors, te);
  CHECK_FORWARD("hand", innerProduct(u, te, ERRORS), ALL, t, d);
  return finish();
}
