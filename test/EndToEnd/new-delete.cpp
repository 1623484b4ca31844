// C++: all forms of new and delete, and owners and a container that use them.
// UNSUPPORTED: memcheck-asan
// (So instrumented, one pointer leads to a member and to a local variable: IZ203.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <deque>
#include <memory>
#include <new>
#include <utility>

struct alignas(64) Wide {
  double v[8];
};
struct Node {
  double value;
  Node *next;
};
double forms(const double *x, int n) {
  double *a = new double(x[0] * x[1]), *b = new double[n], *c = new (std::nothrow) double[n]();
  Wide *w = new Wide{};
  alignas(Wide) unsigned char space[sizeof(Wide)];
  Wide *placed = new (space) Wide{{x[0], x[1], x[2]}};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    b[i] = x[i] * *a;
    c[n - 1 - i] += b[i] * x[i];
    w->v[i % 8] += c[n - 1 - i] * placed->v[i % 3];
  }
  for (int i = 0; i < 8; i++)
    sum += w->v[i] * w->v[i];
  placed->~Wide();
  delete a;
  delete[] b;
  delete[] c;
  delete w;
  return sum;
}
double owners(const double *x, int n) {
  Node *list = nullptr;
  for (int i = 0; i < n; i++)
    list = new Node{x[i] * x[i], list};
  std::unique_ptr<double[]> factors(new double[2]{x[0], x[1]});
  std::unique_ptr<double[]> other = std::move(factors);
  double sum = 0, factor = 1;
  for (const Node *p = list; p; p = p->next, factor *= other[0] + other[1])
    sum += p->value * factor;
  while (list)
    delete std::exchange(list, list->next);
  return sum;
}
double containers(const double *x, int n) {
  std::deque<double> l, d;
  for (int i = 0; i < n; i++) {
    l.push_front(x[i] * x[i]);
    d.push_back(x[i]);
    if (i % 3 == 2) {
      d.pop_front();
      l.pop_back();
    }
  }
  double sum = 0;
  int at = 1;
  for (double v : l) {
    sum += v * at * d[at % d.size()];
    at++;
  }
  return sum;
}


int main() {
  double x[7], t[7];
  fill(x, 7, 101, -1, 1);
  fill(t, 7, 102, -1, 1);
  CHECK_FUNCTION(forms, 7, x, t, 7);
  CHECK_FUNCTION(owners, 7, x, t, 7);
  CHECK_FUNCTION(containers, 7, x, t, 7);
  return finish();
}
