// Loops that fill std::vectors anew in each iteration, and loops that look like them, but read what an
// earlier iteration has left.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <cmath>
#include <vector>

enum { N = 6 };
#define HERE __attribute__((always_inline)) // halves of derivatives have no such loops

// Sizes come out of memory that sqrt and exp, which may set errno, seem to change.
struct Head {
  int rows, width, used;

  // A row of attention: scores, their largest, and a mean that begins with zeros.
  HERE double attention(const double *x) const {
    std::vector<double> keys(rows * width), scores(rows), mean(width);
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < width; i++)
        keys[r * width + i] = std::sin(x[(r + i) % N]);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      double largest = -1e300, sum = 0;
      for (int s = 0; s < rows; s++) {
        double dot = 0;
        for (int i = 0; i < width; i++)
          dot += keys[t * width + i] * keys[s * width + i];
        scores[s] = dot;
        if (largest < dot)
          largest = dot;
      }
      for (int i = 0; i < width; i++)
        mean[i] = 0;
      for (int s = 0; s < rows; s++) {
        const double weight = std::exp(scores[s] - largest);
        sum += weight;
        for (int i = 0; i < width; i++)
          mean[i] += weight * keys[s * width + i];
      }
      for (int i = 0; i < width; i++)
        total += mean[i] / sum * (mean[i] / sum);
    }
    return total;
  }
  // The zeros end before the sums do, where used < width: the rest goes on from row to row.
  HERE double running(const double *x) const {
    std::vector<double> mean(width);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      for (int i = 0; i < used; i++)
        mean[i] = 0;
      for (int s = 0; s < rows; s++)
        for (int i = 0; i < width; i++)
          mean[i] += std::exp(x[(s + i) % N] * 0.3);
      for (int i = 0; i < width; i++)
        total += mean[i] * mean[i] * std::sqrt(x[t % N]);
    }
    return total;
  }
  // Filled at times only.
  HERE double now_and_then(const double *x) const {
    std::vector<double> terms(width, 0.5);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      if (t % 2 == 0 && used > 1)
        for (int i = 0; i < width; i++)
          terms[i] = std::exp(x[(t + i) % N]);
      for (int i = 0; i < width; i++)
        total += terms[i] * terms[i] * std::sqrt(x[i % N]);
    }
    return total;
  }
  // The test of one count guards the writes, that of another the reads.
  HERE double guarded(const double *x) const {
    std::vector<double> terms(rows + width, 0.5);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      if (used > 2)
        for (int i = 0; i < width; i++)
          terms[i] = std::exp(x[(t + i) % N]);
      if (used > 1)
        for (int i = 0; i < width; i++)
          total += terms[i] * terms[i] * std::sqrt(x[i % N]);
    }
    return total;
  }
  // Read first, then filled for the next one.
  HERE double late(const double *x) const {
    std::vector<double> terms(width, 0.5);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      for (int i = 0; i < width; i++)
        total += terms[i] * terms[i] * std::sqrt(x[i % N]);
      for (int i = 0; i < width; i++)
        terms[i] = std::exp(x[(t + i) % N]);
    }
    return total;
  }
  // The row after this one is read, too, which the iteration before has written.
  HERE double wider(const double *x) const {
    std::vector<double> terms((rows + 1) * width, 0.5);
    double total = 0;
    for (int t = 0; t < rows; t++) {
      for (int i = 0; i < width; i++)
        terms[(rows - 1 - t) * width + i] = std::exp(x[(t + i) % N]);
      for (int i = 0; i < width; i++)
        total += terms[(rows - 1 - t) * width + i] * terms[(rows - t) * width + i] * std::sqrt(x[i % N]);
    }
    return total;
  }
};

// The iteration changes its own bound.
struct Shrinking {
  int count;
};
static double shrinking(const double *x, Shrinking *s) {
  double sum = 0;
  for (int i = 0; i < s->count; i++) {
    sum += std::exp(x[i % N]) * std::sqrt(x[i % N]);
    if (i % 2)
      s->count--;
  }
  return sum;
}
static double shrunk(const double *x, int n) {
  Shrinking s = {n};
  return shrinking(x, &s);
}

template <double (Head::*F)(const double *) const> double call(const double *x, const Head *h) {
  return (h->*F)(x);
}


template <double (Head::*F)(const double *) const> void test(const char *name, const Head &h) {
  double x[N] = {0.3, 0.9, 0.4, 0.7, 0.55, 0.2}, dx[N] = {};
  __enzyme_autodiff<void>((void *)call<F>, enzyme_dup, x, dx, enzyme_const, &h);
  for (int i = 0; i < N; i++)
    CHECK_AT(name, i, dx[i], SLOPE_WITHIN(1e-3, x[i], call<F>(x, &h)));
}

int main() {
  for (int rows = 0; rows < 4; rows += 1)
    for (int width = 0; width < 4; width++)
      for (int used = 0; used <= width; used += 1) {
        const Head h = {rows, width, used};
        test<&Head::attention>("attention", h);
        test<&Head::running>("running", h);
        test<&Head::now_and_then>("now and then", h);
        test<&Head::guarded>("guarded", h);
        test<&Head::late>("late", h);
        test<&Head::wider>("wider", h);
      }
  double x[N] = {0.3, 0.9, 0.4, 0.7, 0.55, 0.2}, dx[N] = {};
  __enzyme_autodiff<void>((void *)shrunk, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < N; i++)
    CHECK_AT("shrinking", i, dx[i], SLOPE_WITHIN(1e-3, x[i], shrunk(x, 5)));
  return finish();
}
