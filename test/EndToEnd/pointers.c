// Pointers in memory: rows of a matrix, a linked list, a pointer chosen at run time, strides.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 4 };
typedef struct Node {
  double value;
  struct Node *next;
} Node;

double trace(double **rows, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += rows[i][j] * rows[j][i] * (i + 1);
  return sum;
}
double walk(const Node *list) {
  double product = 1, sum = 0;
  for (const Node *n = list; n; n = n->next) {
    product *= n->value;
    sum += product;
  }
  return sum;
}
double choose(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *from = a[i] > b[i] ? a : b;
    sum += from[i] * from[n - 1 - i];
  }
  return sum;
}
double strided(const double *x, int n, int stride) {
  double sum = 0;
  for (const double *p = x, *end = x + n; p < end; p += stride)
    sum += *p * *p * x[0];
  return sum;
}
double gather(const double *x, const int *index, int n) {
  double sum = 1;
  for (int i = 0; i < n; i++)
    sum *= x[index[i]] + i;
  return sum;
}

int main(void) {
  double m[N][N], d[N][N] = {{0}}, t[N][N], *rows[N], *drows[N], *trows[N];
  fill(&m[0][0], N * N, 1, -1, 1);
  fill(&t[0][0], N * N, 2, -1, 1);
  for (int i = 0; i < N; i++) {
    rows[i] = m[i];
    drows[i] = d[i];
    trows[i] = t[i];
  }
  __enzyme_autodiff((void *)trace, rows, drows, N);
  for (int i = 0; i < N * N; i++)
    CHECK_AT("trace", i, d[i / N][i % N], SLOPE(m[i / N][i % N], trace(rows, N)));
  CHECK("trace jvp", __enzyme_fwddiff((void *)trace, rows, trows, N),
        innerProduct(&t[0][0], &d[0][0], N * N));

  Node list[N], dlist[N], tlist[N];
  double dot = 0;
  for (int i = 0; i < N; i++) {
    int last = i == N - 1;
    list[i] = (Node){m[0][i] + 2, last ? NULL : &list[i + 1]};
    dlist[i] = (Node){0, last ? NULL : &dlist[i + 1]};
    tlist[i] = (Node){t[0][i], last ? NULL : &tlist[i + 1]};
  }
  __enzyme_autodiff((void *)walk, list, dlist);
  for (int i = 0; i < N; i++) {
    CHECK_AT("walk", i, dlist[i].value, SLOPE(list[i].value, walk(list)));
    dot += dlist[i].value * t[0][i];
  }
  CHECK("walk jvp", __enzyme_fwddiff((void *)walk, list, tlist), dot);

  double a[6] = {1, -2, 3, 0.5, 0.25, -1}, b[6] = {0, 2, 1, 1.5, -1, 2}, da[6] = {0}, db[6] = {0};
  __enzyme_autodiff((void *)choose, a, da, b, db, 6);
  for (int i = 0; i < 6; i++) {
    CHECK_AT("choose a", i, da[i], SLOPE(a[i], choose(a, b, 6)));
    CHECK_AT("choose b", i, db[i], SLOPE(b[i], choose(a, b, 6)));
  }
  double dx[6] = {0}, dg[6] = {0};
  int index[] = {3, 0, 3, 5, 1};
  __enzyme_autodiff((void *)strided, a, dx, 6, 2);
  __enzyme_autodiff((void *)gather, a, dg, enzyme_const, index, 5);
  for (int i = 0; i < 6; i++) {
    CHECK_AT("strided", i, dx[i], SLOPE(a[i], strided(a, 6, 2)));
    CHECK_AT("gather", i, dg[i], SLOPE(a[i], gather(a, index, 5)));
  }
  return finish();
}
