// A pointer is read from an iterator, and the very next call moves the iterator on: the shadow is read
// before that call, too. The least element of a vector had its derivative at its neighbour.
// RUN: %preload%isozyme c++ -O0 %s -o %t && %t
// RUN: %preload%isozyme c++ -O1 %s -o %t && %t
// RUN: %preload%isozyme c++ -O2 %s -o %t && %t
// RUN: %preload%isozyme c++ -O3 %s -o %t && %t
// RUN: %preload%isozyme c++ -O1 -fno-inline %s -o %t && %t
// RUN: %preload%isozyme c++ -O2 -fno-inline %s -o %t && %t
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

extern int enzyme_dup, enzyme_const;
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

struct Iterator {
  double *p;
};
__attribute__((noinline)) inline Iterator &step(Iterator &i) {
  ++i.p;
  return i;
}
__attribute__((noinline)) inline bool same(const Iterator &a, const Iterator &b) { return a.p == b.p; }
__attribute__((noinline)) inline bool less(Iterator a, Iterator b) { return *a.p < *b.p; }
__attribute__((noinline)) inline Iterator least(Iterator at, Iterator end) {
  if (same(at, end))
    return at;
  Iterator found = at;
  while (!same(step(at), end))
    if (less(at, found))
      found = at;
  return found;
}

__attribute__((noinline)) double own(double *x, int n) {
  Iterator begin{x}, end{x + n};
  return *least(begin, end).p * 3;
}

__attribute__((noinline)) double library(double *x, int n) {
  std::vector<double> v(x, x + n);
  return *std::min_element(v.begin(), v.end()) * *std::max_element(v.begin(), v.end());
}

static int failures;
static void expect(const char *name, double (*value)(double *, int), double *x, double *d, unsigned least) {
  for (int i = 0; i < 4; i++) {
    double h = 1e-6, kept = x[i];
    x[i] = kept + h;
    double up = value(x, 4);
    x[i] = kept - h;
    double wanted = (up - value(x, 4)) / (2 * h);
    x[i] = kept;
    if (std::fabs(d[i] - wanted) > 1e-7) {
      std::printf("%s: least at %u: d[%d] = %g instead of %g\n", name, least, i, d[i], wanted);
      failures++;
    }
  }
}

int main() {
  for (unsigned i = 0; i < 4; i++) {
    double x[4] = {0.5, 0.9, 0.6, 0.7}, d[4] = {0}, e[4] = {0};
    std::swap(x[0], x[i]);
    __enzyme_autodiff((void *)own, enzyme_dup, x, d, enzyme_const, 4);
    expect("own", own, x, d, i);
    __enzyme_autodiff((void *)library, enzyme_dup, x, e, enzyme_const, 4);
    expect("library", library, x, e, i);
  }
  return failures != 0;
}
