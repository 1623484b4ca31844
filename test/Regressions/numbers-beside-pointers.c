// Numbers in an array that is a member of a record: an index does not lead from them to the pointers
// behind, which are members, too. Without tags, at -O0, it may.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2,-O3 --keep plan --flag=-I%S/../EndToEnd %s
#include "check.h"

struct View {
  double *data;
  long dims[2];
  const void *device;
};
struct Row {
  long dims[1];
  long stride;
  struct View view;
  long dim;
  const void *device;
};

__attribute__((noinline)) static void make(struct Row *row, struct View *view, long dim, const void *device) {
  row->dims[0] = 0;
  row->view = *view;
  row->view.device = device;
  row->dim = dim;
  row->device = device;
  int to = 0;
  for (int from = 0; from < 2; from++)
    if (from != row->dim)
      row->dims[to++] = row->view.dims[from];
  row->stride = row->view.dims[row->dim];
}

__attribute__((noinline)) static double *room(long n) { return malloc(n * sizeof(double)); }

static double numbers(double *x, long n, long m) {
  struct View view = {x, {n, m}, 0};
  struct Row row;
  make(&row, &view, 1, "device");
  double *y = room(row.dims[0]), sum = 0;
  for (long i = 0; i < row.dims[0]; i++)
    y[i] = row.view.data[i * row.stride] * row.view.data[i * row.stride];
  for (long i = 0; i < row.dims[0]; i++)
    sum += (i + 1) * y[i];
  free(y);
  return sum;
}

enum { N = 6 };
int main(void) {
  double x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 1.5 + 0.25 * i * i;
  __enzyme_autodiff(numbers, enzyme_dup, x, dx, enzyme_const, 3L, enzyme_const, 2L);
  for (int i = 0; i < N; i++)
    CHECK_AT("numbers", i, dx[i], SLOPE(x[i], numbers(x, 3, 2)));
  if (!failures)
    puts("ok");
  return failures != 0;
}
