// A k-d tree built by quickselect on an index array, searched with pruning; a registration error.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum { DIMENSIONS = 3 };
typedef struct Tree {
  int point, axis;
  struct Tree *below, *above;
} Tree;
typedef struct {
  const double (*points)[DIMENSIONS];
  int *order;
} Builder;

static void swapInts(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
static void partition(const Builder *b, int low, int high, int k, int axis) {
  while (low < high) {
    double pivot = b->points[b->order[(low + high) / 2]][axis];
    int i = low, j = high;
    while (i <= j) {
      while (b->points[b->order[i]][axis] < pivot)
        i++;
      while (b->points[b->order[j]][axis] > pivot)
        j--;
      if (i <= j)
        swapInts(&b->order[i++], &b->order[j--]);
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      return;
  }
}
static Tree *build(const Builder *b, int low, int high, int axis) {
  if (low > high)
    return NULL;
  int middle = (low + high) / 2;
  partition(b, low, high, middle, axis);
  Tree *t = malloc(sizeof *t);
  t->point = b->order[middle];
  t->axis = axis;
  t->below = build(b, low, middle - 1, (axis + 1) % DIMENSIONS);
  t->above = build(b, middle + 1, high, (axis + 1) % DIMENSIONS);
  return t;
}
static void nearest(const Tree *t, const double (*points)[DIMENSIONS], const double *at, int *best,
                    double *square) {
  if (!t)
    return;
  double s = 0;
  for (int i = 0; i < DIMENSIONS; i++)
    s += (points[t->point][i] - at[i]) * (points[t->point][i] - at[i]);
  if (*best < 0 || s < *square) {
    *best = t->point;
    *square = s;
  }
  double gap = at[t->axis] - points[t->point][t->axis];
  nearest(gap < 0 ? t->below : t->above, points, at, best, square);
  if (gap * gap < *square)
    nearest(gap < 0 ? t->above : t->below, points, at, best, square);
}
static void release(Tree *t) {
  if (!t)
    return;
  release(t->below);
  release(t->above);
  free(t);
}

/* Mean squared distance of moved points to their nearest neighbours; pairs counts distinct ones. */
double mismatch(const double (*model)[DIMENSIONS], int n, const double (*scan)[DIMENSIONS], int m,
                const double shift[DIMENSIONS], double angle, unsigned *pairs) {
  int *order = malloc(n * sizeof *order);
  for (int i = 0; i < n; i++)
    order[i] = i;
  Builder b = {model, order};
  Tree *tree = build(&b, 0, n - 1, 0);
  double sum = 0, c = cos(angle), s = sin(angle);
  *pairs = 0;
  for (int i = 0; i < m; i++) {
    double moved[DIMENSIONS] = {c * scan[i][0] - s * scan[i][1] + shift[0],
                                s * scan[i][0] + c * scan[i][1] + shift[1], scan[i][2] + shift[2]};
    int best = -1;
    double square;
    nearest(tree, model, moved, &best, &square);
    sum += square / (1 + square);
    *pairs |= 1u << best;
  }
  release(tree);
  free(order);
  return sum / m;
}

enum { N = 14, M = 6, ALL = 3 * (N + M) + 4 };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0};
  const int scan = 3 * N, shift = 3 * (N + M), angle = shift + 3;
  typedef const double (*Points)[DIMENSIONS];
  unsigned pairs, ignored;
  fill(x, ALL, 96, -1, 1);
  fill(t, ALL, 97, -1, 1);
  d[angle] = __enzyme_autodiff((void *)mismatch, x, d, N, x + scan, d + scan, M, x + shift,
                               d + shift, x[angle], enzyme_const, &pairs);
  show("pairs", pairs, 0);
  CHECK_SLOPES_WITHIN(1e-5, "x", ALL, x, d,
                      mismatch((Points)x, N, (Points)(x + scan), M, x + shift, x[angle], &ignored));
  double tangent = __enzyme_fwddiff((void *)mismatch, x, t, N, x + scan, t + scan, M, x + shift,
                                    t + shift, x[angle], t[angle], enzyme_const, &ignored);
  CHECK_FORWARD("mismatch", tangent, ALL, t, d);
  return finish();
}
