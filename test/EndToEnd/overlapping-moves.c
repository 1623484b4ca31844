// Blocks of records that are shifted by less than their length, as erase and insert do: what moves
// is added in the order in which nothing is taken twice.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

/* What memmove shifts by less than a block whose layout is known as a whole. */
typedef struct {
  long id;
  double m;
} Mass;

__attribute__((noinline)) static double erase(const double *in, int n) {
  Mass l[8];
  for (int i = 0; i < n; i++)
    l[i] = (Mass){i, in[i]};
  for (Mass *p = l + 2; p != l + 7; p++)
    *p = p[1];
  double s = 0;
  for (int i = 0; i < n - 1; i++)
    s += l[i].m * l[i].m * (l[i].id + i + 1);
  return s;
}

__attribute__((noinline)) static double insert(const double *in, int n) {
  Mass l[9];
  for (int i = 0; i < n; i++)
    l[i] = (Mass){i, in[i]};
  memmove(l + 3, l + 2, 6 * sizeof *l);
  l[2] = (Mass){77, in[0] * in[1]};
  double s = 0;
  for (int i = 0; i <= n; i++)
    s += l[i].m * l[i].m * (l[i].id + i + 1);
  return s;
}

/* Records with addresses, up and down, and a number that is no multiple of the record. */
typedef struct {
  const double *p;
  double w;
} Link;

__attribute__((noinline)) static double links(const double *in, int n, int up, int length) {
  Link *l = malloc((n + 2) * sizeof *l);
  for (int i = 0; i < n + 2; i++)
    l[i] = (Link){in + i % n, in[(i + 1) % n] * i};
  char *bytes = (char *)(l + 2);
  memmove(bytes + up * (long)sizeof *l, bytes, length);
  double s = 0;
  for (int i = 0; i < n + 2; i++)
    s += *l[i].p * l[i].w * (i + 1);
  free(l);
  return s;
}

int main(void) {
  double x[8], t[8];
  fill(x, 8, 3, 0.2, 1.2);
  fill(t, 8, 7, -1, 1);
  CHECK_FUNCTION(erase, 8, x, t, 8);
  CHECK_FUNCTION(insert, 8, x, t, 8);
  CHECK_FUNCTION(links, 8, x, t, 8, 1, 6 * sizeof(Link));
  CHECK_FUNCTION(links, 8, x, t, 8, -1, 6 * sizeof(Link));
  CHECK_FUNCTION(links, 8, x, t, 8, 1, 5 * sizeof(Link) + 8);
  CHECK_FUNCTION(links, 8, x, t, 8, -2, 5 * sizeof(Link) + 8);
  return finish();
}
