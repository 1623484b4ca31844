// Records and plain arrays from one pool of bytes, by placement new. What lies where is known when it runs.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2/-O3 --keep plan --flag=-std=c++20 %s
// (At -O1 this is an error: IZ203.)
// UNSUPPORTED: memcheck-asan, memcheck-valgrind, memcheck-msan
#include "check.h"
#include <new>

struct Node {
  double value;
  Node *next;
};
struct Pool {
  alignas(16) unsigned char bytes[4096];
  size_t used = 0;
  void *get(size_t size) {
    void *place = bytes + used;
    used += (size + 15) / 16 * 16;
    return place;
  }
};
static double weighted(const double *in, int n) {
  Pool pool;
  Node *list = nullptr;
  for (int i = 0; i < n; i++)
    list = new (pool.get(sizeof(Node))) Node{in[i] * in[0], list};
  double *numbers = new (pool.get(8 * n)) double[n];
  for (int i = 0; i < n; i++) // Becomes a copy of bytes.
    numbers[i] = in[i];
  double sum = 0, weight = 1;
  for (int i = 0; list; list = list->next)
    sum += (weight *= 0.9) * list->value * list->value * numbers[i++];
  return sum;
}
int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, weighted, 6, x, t, 6);
  return finish();
}
