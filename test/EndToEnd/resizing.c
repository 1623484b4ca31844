// realloc and its relatives: growth in loops and in structs, shrinking, unknown old sizes, rows of
// pointers; aligned memory; strings beside numbers; variable-length arrays; failing allocations.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#define _GNU_SOURCE
#include "check.h"
#include <alloca.h>
#include <malloc.h>

double growing(const double *x, int n) {
  double *kept = NULL, sum = 0;
  int count = 0, room = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < -0.8)
      continue;
    if (count == room) {
      room = room ? 2 * room : 1;
      kept = realloc(kept, room * sizeof *kept);
    }
    kept[count++] = x[i] * x[i];
  }
  for (int i = 0; i < count; i++)
    sum += kept[i] * kept[count - 1 - i] * (i + 1);
  free(kept);
  return sum;
}

struct list {
  double *at;
  int count, room;
};
static __attribute__((noinline)) void append(struct list *l, double value) {
  if (l->count == l->room) {
    int room = l->room ? l->room + l->room / 2 + 1 : 2;
    double *more = realloc(l->at, room * sizeof *more);
    if (!more)
      abort();
    l->at = more;
    l->room = room;
  }
  l->at[l->count++] = value;
}
double lists(const double *x, int n) {
  struct list a = {0}, b = {0};
  for (int i = 0; i < n; i++) {
    append(&a, sin(x[i]));
    for (int j = 0; j <= i; j++)
      append(&b, a.at[j] * x[i]);
  }
  double sum = 0;
  for (int i = 0; i < b.count; i++)
    sum += b.at[i] * b.at[b.count - 1 - i] * a.at[i % a.count];
  free(a.at);
  free(b.at);
  return sum;
}

double shrinking(const double *x, int n) {
  double *y = malloc(4 * n * sizeof *y), sum = 0;
  for (int i = 0; i < 4 * n; i++)
    y[i] = x[i % n] * (i + 1);
  y = realloc(y, n * sizeof *y);
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i] * x[n - 1 - i];
  y = reallocarray(y, n, 2 * sizeof *y);
  for (int i = 0; i < n; i++)
    y[n + i] = exp(y[i] * 0.1);
  for (int i = 0; i < 2 * n; i++)
    sum += y[i] * x[i % n];
  free(y);
  return sum;
}

struct sample {
  double value;
  int id;
  const double *from;
  char *name;
};
double samples(const double *x, int n) {
  struct sample *all = NULL;
  double **rows = NULL, sum = 0;
  char text[] = "ab";
  for (int i = 0; i < n; i++) {
    all = realloc(all, (i + 1) * sizeof *all);
    all[i].value = x[i] * x[i];
    all[i].id = i;
    all[i].from = x + (i + 1) % n;
    all[i].name = strdup(text);
    rows = realloc(rows, (i + 1) * sizeof *rows);
    rows[i] = malloc((i + 1) * sizeof **rows);
    for (int j = 0; j <= i; j++)
      rows[i][j] = all[j].value * *all[j].from;
  }
  for (int i = 0; i < n; i++)
    sum += all[i].value * rows[i][all[i].id / 2] * (double)strlen(all[i].name) * *all[i].from;
  for (int i = 0; i < n; i++) {
    free(all[i].name);
    free(rows[i]);
  }
  free(rows);
  free(all);
  return sum;
}

double aligned(const double *x, int n) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, n * sizeof(double)))
    return -1;
  double *a = memory, *b = memalign(32, n * sizeof *b), *c = aligned_alloc(64, 64 * n),
         *d = valloc(n * sizeof *d), sum = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x[i] * x[i];
    b[i] = a[i] * x[0];
    c[i] = cos(b[i]);
    d[i] = c[i] * a[i];
  }
  for (int i = 0; i < n; i++)
    sum += d[i] * b[n - 1 - i];
  free(a);
  free(b);
  free(c);
  free(d);
  return sum;
}

double onStack(const double *x, int n) {
  double sum = 0;
  double *whole = alloca(n * sizeof *whole);
  for (int i = 0; i < n; i++)
    whole[i] = x[i] * x[i];
  for (int i = 1; i <= n; i++) {
    double part[i];
    for (int j = 0; j < i; j++)
      part[j] = whole[j] * x[i - 1] + (j ? part[j - 1] : 0);
    sum += part[i - 1] * part[i / 2];
  }
  return sum;
}

double refused(const double *x, int n) {
  volatile size_t huge = (size_t)1 << 62;
  double *volatile none = malloc(huge);
  double *y = malloc(n * sizeof *y), sum = 0;
  if (none)
    return -1;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  double *more = realloc(y, huge);
  if (!more)
    more = y;
  for (int i = 0; i < n; i++)
    sum += more[i] * x[n - 1 - i];
  free(more);
  return sum;
}

struct triplets {
  long room, count, rows, *row, *column;
  double *value;
};
static void *resize(void *old, long count, size_t size, long *ok) {
  void *more = realloc(old, (count > 1 ? count : 1) * size);
  *ok = more != NULL;
  return *ok ? more : old;
}
static __attribute__((noinline)) long reserve(struct triplets *t, long room) {
  long ok, okRow, okColumn = 1, okValue = 1;
  if (room <= 0)
    room = t->count == -1 ? t->row[t->rows] : t->count;
  t->row = resize(t->row, room, sizeof(long), &okRow);
  if (t->count >= 0)
    t->column = resize(t->column, room, sizeof(long), &okColumn);
  if (t->value)
    t->value = resize(t->value, room, sizeof(double), &okValue);
  ok = okRow && okColumn && okValue;
  if (ok)
    t->room = room;
  return ok;
}
static int insert(struct triplets *t, long row, long column, double value) {
  if (t->count >= t->room && !reserve(t, 2 * t->room))
    return 0;
  t->value[t->count] = value;
  t->row[t->count] = row;
  t->column[t->count++] = column;
  return 1;
}
double members(const double *x, int n) {
  struct triplets *t = calloc(1, sizeof *t);
  double sum = 0;
  t->room = 1;
  t->row = malloc(sizeof(long));
  t->column = malloc(sizeof(long));
  t->value = malloc(sizeof(double));
  for (int i = 0; i < n; i++)
    insert(t, i, n - 1 - i, x[i] * x[i]);
  reserve(t, 0);
  for (long k = 0; k < t->count; k++)
    sum += t->value[k] * x[t->column[k]] * (t->row[k] + 1);
  free(t->row);
  free(t->column);
  free(t->value);
  free(t);
  return sum;
}

#define TEST(F) CHECK_FUNCTION(F, 9, x, t, 9)

int main(void) {
  double x[9], t[9];
  fill(x, 9, 31, -1, 1);
  fill(t, 9, 32, -1, 1);
  TEST(growing);
  TEST(lists);
  TEST(shrinking);
  TEST(samples);
  TEST(aligned);
  TEST(onStack);
  TEST(refused);
  TEST(members);
  return finish();
}
