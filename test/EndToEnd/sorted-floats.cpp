// Records of floats and an integer are passed in integers, two members in each: such words are taken apart where they are
// read and stored. Differences of the same with doubles tell what is right.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <algorithm>
#include <queue>
#include <vector>

template <class Real> struct Pixel {
  Real red, green, blue;
  unsigned char mask;
};
template <class Real> struct Particle {
  Real x, weight;
  Real charge;
  int cell;
};

template <class Real> static double sorted(const double *in, int n) {
  std::vector<Pixel<Real>> image;
  for (int i = 0; i < 20; i++) // More than std::sort sorts by insertion.
    image.push_back({Real(in[i % n] * i), Real(in[1] * i), Real(in[2]), (unsigned char)(i % 5)});
  auto light = [](const Pixel<Real> &p) { return Real(0.25) * p.red + Real(0.5) * p.green + p.blue; };
  std::sort(image.begin(), image.end(), [&](auto &a, auto &b) { return light(a) < light(b); });
  double sum = 0;
  int place = 1;
  for (const Pixel<Real> &p : image)
    sum += 1e-2 * place++ * light(p) * p.red * p.mask;
  return sum;
}

template <class Real> static double queued(const double *in, int n) {
  auto later = [](const Particle<Real> &a, const Particle<Real> &b) { return a.x + a.charge > b.x + b.charge; };
  std::priority_queue<Particle<Real>, std::vector<Particle<Real>>, decltype(later)> queue(later);
  for (int i = 0; i < 2 * n; i++)
    queue.push({Real(in[i % n] + i), Real(in[(i + 1) % n]), Real(in[0] * i), i % 3});
  double sum = 0;
  for (int place = 1; !queue.empty(); queue.pop())
    sum += 1e-2 * place++ * queue.top().x * queue.top().weight * (queue.top().charge + queue.top().cell);
  return sum;
}

using Function = double(const double *, int);
static void compare(const char *name, Function *withFloats, Function *withDoubles, double *gradient, double tangent,
                    double *x, const double *t) {
  for (int i = 0; i < 6; i++)
    checkWithin(name, i, gradient[i], SLOPE_WITHIN(1e-3, x[i], withDoubles(x, 6)), 2e-5, 2e-5);
  checkWithin("forward", -1, tangent, innerProduct(t, gradient, 6), 2e-5, 2e-5);
  checkWithin("value", -1, withFloats(x, 6), withDoubles(x, 6), 2e-5, 2e-5);
}

int main() {
  double x[6], t[6], bySort[6] = {0}, byQueue[6] = {0};
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  GRADIENT_OF((void *)sorted<float>, x, bySort, 6);
  compare("sorted", sorted<float>, sorted<double>, bySort, TANGENT_OF((void *)sorted<float>, x, t, 6), x, t);
  GRADIENT_OF((void *)queued<float>, x, byQueue, 6);
  compare("queued", queued<float>, queued<double>, byQueue, TANGENT_OF((void *)queued<float>, x, t, 6), x, t);
  return finish();
}
