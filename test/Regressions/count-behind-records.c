// Records that are copied within an array, with counts behind the array, where a record would
// have a number or an address: a heap, a table with names.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2,-O3,-Os --keep=plan --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --flag=-DUNTAGGED --flag=-fno-strict-aliasing --keep=plan --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --flag=-fno-inline --keep=plan --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --flag=-DUNTAGGED --flag=-fno-inline --keep=plan --flag=-I%S/../EndToEnd %s
// Without types in the code, a count may be a float at other times: the table is an error.
// RUN: not %clang -O0 -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fno-strict-aliasing -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: cannot deduce what the memory that is copied here holds: {{.*}} [IZ203]
#include "check.h"

typedef struct {
  double cost;
  int node;
} item;
typedef struct {
  item at[16];
  int count;
} heap;
static void put(heap *q, item x) {
  int i = q->count++;
  for (q->at[i] = x; i && q->at[(i - 1) / 2].cost > q->at[i].cost; i = (i - 1) / 2) {
    item t = q->at[i];
    q->at[i] = q->at[(i - 1) / 2];
    q->at[(i - 1) / 2] = t;
  }
}
static item get(heap *q) {
  item first = q->at[0];
  q->at[0] = q->at[--q->count];
  for (int i = 0, c; (c = 2 * i + 1) < q->count; i = c) {
    if (c + 1 < q->count && q->at[c + 1].cost < q->at[c].cost)
      c++;
    if (q->at[i].cost <= q->at[c].cost)
      break;
    item t = q->at[i];
    q->at[i] = q->at[c];
    q->at[c] = t;
  }
  return first;
}
double cheapest(const double *x, int n) {
  heap q;
  q.count = 0;
  for (int i = 0; i < n; i++)
    put(&q, (item){x[i] * x[(i + 1) % n], i});
  double sum = 0, weight = 1;
  while (q.count) {
    item t = get(&q);
    sum += (weight *= 0.8) * t.cost * (t.node + 1);
  }
  return sum;
}

typedef struct {
  const char *name;
  double value;
} entry;
typedef struct {
  entry at[8];
  int count, changes;
} table;
static void define(table *t, const char *name, double value) {
  for (int i = 0; i < t->count; i++)
    if (!strcmp(t->at[i].name, name)) {
      t->at[i].value *= value;
      entry moved = t->at[i];
      t->at[i] = t->at[t->count - 1];
      t->at[t->count - 1] = moved;
      t->changes++;
      return;
    }
  t->at[t->count++] = (entry){name, value};
}
double named(const double *x, int n) {
  static const char *const names[] = {"mass", "length", "time"};
  table t;
  t.count = t.changes = 0;
  for (int i = 0; i < n; i++)
    define(&t, names[i * i % 3], x[i]);
  double sum = t.changes;
  for (int i = 0; i < t.count; i++)
    sum = sum * t.at[i].value + i * t.at[i].value;
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 14, 0.5, 1.5);
  fill(t, 6, 15, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, cheapest, 6, x, t, 6);
#ifndef UNTAGGED
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
#endif
  return finish();
}
