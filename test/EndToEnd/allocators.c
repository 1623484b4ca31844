// Allocators of the user's own, which are registered: an arena, and a pool that is released to.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

struct arena {
  char *next, *end;
};
__attribute__((noinline)) void *arenaTake(struct arena *a, size_t bytes) {
  char *taken = a->next;
  a->next += (bytes + 15) / 16 * 16;
  if (a->next > a->end)
    abort();
  return taken;
}
void arenaGive(void *p) { (void)p; }
void *__enzyme_allocation_like_arena[4] = {(void *)arenaTake, (void *)1, (void *)"-1",
                                           (void *)arenaGive};

struct pool {
  void *free[64];
  int count, alive;
};
__attribute__((noinline)) void *poolTake(struct pool *p, int bytes) {
  p->alive++;
  if (p->count)
    return p->free[--p->count];
  return malloc(bytes < 256 ? 256 : bytes);
}
__attribute__((noinline)) void poolGive(struct pool *p, void *memory) {
  p->alive--;
  p->free[p->count++] = memory;
}
void *__enzyme_allocation_like_pool[4] = {(void *)poolTake, (void *)1, (void *)"0,-1",
                                          (void *)poolGive};

double inArena(const double *x, int n, struct arena *a) {
  double *y = arenaTake(a, n * sizeof *y), *z = arenaTake(a, n * sizeof *z), sum = 0;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    z[i] = y[i] * y[n - 1 - i];
  for (int i = 0; i < n; i++)
    sum += z[i] * x[i];
  return sum;
}
double inPool(const double *x, int n, struct pool *p) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double *y = poolTake(p, (i + 1) * sizeof *y);
    for (int j = 0; j <= i; j++)
      y[j] = x[j] * x[i];
    for (int j = 0; j <= i; j++)
      sum += y[j] * y[i - j];
    poolGive(p, y);
  }
  return sum;
}

int main(void) {
  double x[6], t[6], da[6] = {0}, dp[6] = {0};
  fill(x, 6, 61, -1, 1);
  fill(t, 6, 62, -1, 1);
  static char space[1 << 20];
  struct arena a = {space, space + sizeof space};
  struct pool p = {{0}, 0, 0};
  __enzyme_autodiff((void *)inArena, x, da, enzyme_const, 6, enzyme_const, &a);
  __enzyme_autodiff((void *)inPool, x, dp, enzyme_const, 6, enzyme_const, &p);
  CHECK("all given back", p.alive, 0);
  for (int i = 0; i < 6; i++) {
    CHECK_AT("arena", i, da[i], SLOPE(x[i], inArena(x, 6, &a)));
    CHECK_AT("pool", i, dp[i], SLOPE(x[i], inPool(x, 6, &p)));
  }
  CHECK("arena jvp", __enzyme_fwddiff((void *)inArena, x, t, enzyme_const, 6, enzyme_const, &a),
        innerProduct(t, da, 6));
  CHECK("pool jvp", __enzyme_fwddiff((void *)inPool, x, t, enzyme_const, 6, enzyme_const, &p),
        innerProduct(t, dp, 6));
  CHECK("all given back", p.alive, 0);
  while (p.count)
    free(p.free[--p.count]);
  return finish();
}
