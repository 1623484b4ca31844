// A table whose keys are made of addresses: what is multiplied for a hash is no address any more,
// neither where it is passed nor where it is kept.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stdint.h>
#include <stdlib.h>
enum { N = 4, BUCKETS = 5 };

typedef struct Mass {
  double place, weight;
} Mass;
typedef struct Spring {
  uintptr_t key;
  struct Spring *next;
  Mass *from, *to;
  double strength;
} Spring;

static uintptr_t keyOf(const Mass *a, const Mass *b) {
  return (uintptr_t)a * 2654435761u ^ (uintptr_t)b * 805459861u;
}
__attribute__((noinline)) static Spring *find(Spring **table, uintptr_t key) {
  for (Spring *s = table[key % BUCKETS]; s; s = s->next)
    if (s->key == key)
      return s;
  return 0;
}
__attribute__((noinline)) static Spring *insert(Spring **table, uintptr_t key, Mass *a, Mass *b) {
  Spring *s = malloc(sizeof *s);
  *s = (Spring){key, table[key % BUCKETS], a, b, 1};
  return table[key % BUCKETS] = s;
}
static double energy(const double *x, int n) {
  Spring *table[BUCKETS] = {0};
  Mass *masses = malloc(n * sizeof *masses);
  for (int i = 0; i < n; i++)
    masses[i] = (Mass){x[i], x[i] * x[0]};
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < n; i++) {
      Mass *a = &masses[i], *b = &masses[(i + round) % n];
      Spring *s = find(table, keyOf(a, b));
      if (!s)
        s = insert(table, keyOf(a, b), a, b);
      s->strength += a->place * b->weight;
    }
  double sum = 0;
  for (int k = 0; k < BUCKETS; k++)
    for (Spring *s = table[k], *next; s; s = next) {
      next = s->next;
      sum += s->strength * s->strength * (s->from->place - s->to->weight);
      free(s);
    }
  free(masses);
  return sum;
}

int main(void) {
  double x[N], t[N];
  fill(x, N, 5, 0.3, 1.4);
  fill(t, N, 6, -1, 1);
  CHECK_FUNCTION(energy, N, x, t, N);
  return finish();
}
