//===- width.cpp - Several derivatives at once ----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What 4 and 8 directions cost in one call, in times of one direction, and what 4
// adjoints cost in times of one. Before that, every lane is compared with a call
// of width 1. Arguments: names of programs (default: all); with --limits first, the
// program fails where 4 or 8 directions cost more than they may.
//
//===----------------------------------------------------------------------===//
#include "../../docs/examples/nbody/mismatch.hpp"
#include "../../docs/examples/nbody/simulator.cpp"
#include "../harness/measure.h"
#include "../harness/plugin.h"
#include "diffuse.h"
#include "likelihood.h"
#include "product.h"

#include <cstdio>
#include <cstring>

extern "C" int enzyme_dupv, enzyme_dupnoneedv;

template <int W> struct LanesOf {
  double lane[W];
};

namespace {

/// Few numbers, all in registers, mostly transcendental functions.
double chain(const double *x, int steps) {
  double position = x[0], speed = x[1];
  for (int i = 0; i < steps; i++) {
    const double force = std::sin(position) * std::exp(-speed * speed);
    speed += 0.01 * (std::log(2 + force * position) - std::tanh(speed));
    position += 0.01 * std::cos(speed + position);
  }
  return position * speed;
}

/// The same without: additions and multiplications that wait for each other.
double lorenz(const double *start, int steps) {
  double x = start[0], y = start[1], z = start[2];
  for (int i = 0; i < steps; i++) {
    const double dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 2.6 * z;
    x += 0.001 * dx, y += 0.001 * dy, z += 0.001 * dz;
  }
  return x + y + z;
}

constexpr int MostLanes = 8;
using Vector = std::vector<double>;

/// A number that the compiler does not know.
int unknown(int n) {
  asm volatile("" : "+r"(n));
  return n;
}

/// Keeps the compiler from leaving out lanes.
template <typename T> void useAll(const T &value) { asm volatile("" : : "r"(&value) : "memory"); }

/// A shadow with a row per lane. Rows that begin at the same offset in a page (n = 1024)
/// would share few lines of the first cache: they are set apart.
struct Rows {
  explicit Rows(std::size_t n)
      : length((n + 511) / 512 * 512 + 72), stride(long(length * sizeof(double))),
        values(length * MostLanes) {}
  double *data() { return values.data(); }
  double *row(int lane) { return data() + lane * length; }
  void clear() { std::fill(values.begin(), values.end(), 0.0); }
  std::size_t length;
  long stride;
  Vector values;
};

/// One program: derivatives at x along rows of dx, or the gradient W times, and what
/// 4 and 8 directions may cost.
struct Chain {
  static constexpr const char *Name = "chain";
  static constexpr double Four = 1.6, Eight = 2.2;
  void clear() {}
  Vector x{0.7, 0.3};
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>((void *)chain, enzyme_width, W, enzyme_dupv, dx.stride,
                                        x.data(), dx.data(), enzyme_const, unknown(1000));
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)chain, enzyme_width, W, enzyme_dupv, dx.stride, x.data(),
                            dx.data(), enzyme_const, unknown(1000));
  }
};

struct Lorenz {
  static constexpr const char *Name = "lorenz";
  static constexpr double Four = 2, Eight = 3.2;
  void clear() {}
  Vector x{1, 2, 20};
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>((void *)lorenz, enzyme_width, W, enzyme_dupv, dx.stride,
                                        x.data(), dx.data(), enzyme_const, unknown(1000));
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)lorenz, enzyme_width, W, enzyme_dupv, dx.stride, x.data(),
                            dx.data(), enzyme_const, unknown(1000));
  }
};

struct Stencil {
  static constexpr const char *Name = "stencil";
  static constexpr double Four = 3.5, Eight = 7;
  const int n = unknown(1000), steps = unknown(20);
  Vector x = numbers(n, 1, 0, 1), a = Vector(n), b = Vector(n);
  Rows da = Rows(n), db = Rows(n);
  void clear() { da.clear(), db.clear(); }
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>((void *)diffuse, enzyme_width, W, enzyme_dupv, dx.stride,
                                        x.data(), dx.data(), enzyme_dupv, da.stride, a.data(),
                                        da.data(), enzyme_dupv, db.stride, b.data(), db.data(),
                                        enzyme_const, n, enzyme_const, steps);
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)diffuse, enzyme_width, W, enzyme_dupv, dx.stride, x.data(),
                            dx.data(), enzyme_dupv, da.stride, a.data(), da.data(), enzyme_dupv,
                            db.stride, b.data(), db.data(), enzyme_const, n, enzyme_const, steps);
  }
};

struct Matmul {
  static constexpr const char *Name = "matmul";
  static constexpr double Four = 3.5, Eight = 7;
  const int n = unknown(40);
  Vector x = numbers(2 * n * n, 1, -1, 1), c = Vector(n * n);
  Rows dc = Rows(n * n);
  void clear() { dc.clear(); }
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>((void *)product, enzyme_width, W, enzyme_dupv, dx.stride,
                                        x.data(), dx.data(), enzyme_dupv, dx.stride,
                                        x.data() + n * n, dx.data() + n * n, enzyme_dupv, dc.stride,
                                        c.data(), dc.data(), enzyme_const, n);
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)product, enzyme_width, W, enzyme_dupv, dx.stride, x.data(),
                            dx.data(), enzyme_dupv, dx.stride, x.data() + n * n, dx.data() + n * n,
                            enzyme_dupv, dc.stride, c.data(), dc.data(), enzyme_const, n);
  }
};

struct Nbody {
  static constexpr const char *Name = "nbody";
  static constexpr double Four = 3, Eight = 5.5;
  void clear() {}
  nbody::System nominal = nbody::outerSolarSystem(), moving = nominal;
  std::vector<nbody::Observation> seen = nbody::observe(moving, 300, 30);
  int count = static_cast<int>(seen.size());
  Vector x{1.2, 5.7, -4.0, -1.95};
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>((void *)nbody::mismatch, enzyme_width, W, enzyme_dupv,
                                        dx.stride, x.data(), dx.data(), enzyme_const, &nominal,
                                        enzyme_const, seen.data(), enzyme_const, count);
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)nbody::mismatch, enzyme_width, W, enzyme_dupv, dx.stride,
                            x.data(), dx.data(), enzyme_const, &nominal, enzyme_const, seen.data(),
                            enzyme_const, count);
  }
};

struct Gmm {
  static constexpr const char *Name = "gmm";
  static constexpr double Four = 2.5, Eight = 4.5;
  void clear() {}
  const int d = unknown(10), k = unknown(25), n = unknown(100), size = d + d * (d - 1) / 2;
  Vector x = numbers(k + k * d + k * size, 1, -0.5, 0.5), points = numbers(n * d, 2, -1.5, 1.5);
  template <int W> LanesOf<W> forward(Rows &dx) {
    return __enzyme_fwddiff<LanesOf<W>>(
        (void *)likelihood, enzyme_width, W, enzyme_const, d, enzyme_const, k, enzyme_const, n,
        enzyme_dupv, dx.stride, x.data(), dx.data(), enzyme_dupv, dx.stride, x.data() + k,
        dx.data() + k, enzyme_dupv, dx.stride, x.data() + k + k * d, dx.data() + k + k * d,
        enzyme_const, points.data(), enzyme_const, 1.0, enzyme_const, 0);
  }
  template <int W> void reverse(Rows &dx) {
    __enzyme_autodiff<void>((void *)likelihood, enzyme_width, W, enzyme_const, d, enzyme_const, k,
                            enzyme_const, n, enzyme_dupv, dx.stride, x.data(), dx.data(),
                            enzyme_dupv, dx.stride, x.data() + k, dx.data() + k, enzyme_dupv,
                            dx.stride, x.data() + k + k * d, dx.data() + k + k * d, enzyme_const,
                            points.data(), enzyme_const, 1.0, enzyme_const, 0);
  }
};

/// The largest relative difference between lanes and derivatives of width 1.
template <typename Program> double lanesError(Program &p, Rows directions) {
  const std::size_t n = p.x.size();
  double worst = 0;
  auto compare = [&](double got, double wanted) {
    worst = std::max(worst, std::fabs(got - wanted) / std::max(1e-30, std::fabs(wanted)));
  };
  Rows d = directions, gradient(n), one(n);
  const auto eight = p.template forward<8>(d);
  const auto four = p.template forward<4>(d);
  p.clear();
  p.template reverse<4>(gradient);
  p.clear();
  p.template reverse<1>(one);
  for (int lane = 0; lane < MostLanes; ++lane) {
    std::copy_n(directions.row(lane), n, d.row(0));
    const double alone = p.template forward<1>(d).lane[0];
    compare(eight.lane[lane], alone);
    if (lane >= 4)
      continue;
    compare(four.lane[lane], alone);
    for (std::size_t i = 0; i < n; ++i)
      compare(gradient.row(lane)[i], one.row(0)[i]);
  }
  return worst;
}

/// Calls that are long enough to be measured, and short enough not to be interrupted mostly.
template <typename Work> int callsToMeasure(Work work) {
  int calls = 1;
  while (calls < (1 << 20) && secondsPerCall(work, calls) * calls < 0.001)
    calls *= 2;
  return calls;
}

/// Best seconds of width 1, 4, 8 forward, and of 1, 4 reverse, taken in turn.
template <typename Program> bool measure(bool limits) {
  Program p;
  Rows directions(p.x.size()), d = directions, gradient = directions;
  directions.values = numbers(directions.values.size(), 7, -1, 1);
  const double wrong = lanesError(p, directions);
  d = directions;
  double best[5] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  int calls[5] = {};
  auto time = [&](int which, auto work) {
    if (!calls[which])
      calls[which] = callsToMeasure(work);
    best[which] = std::min(best[which], secondsPerCall(work, calls[which]));
  };
  auto withinLimits = [&] {
    return best[1] <= Program::Four * best[0] && best[2] <= Program::Eight * best[0];
  };
  // On a busy machine, the best of many rounds only gets better. Limits are for forward mode.
  for (int round = 0; round < (limits ? 200 : 20) && !(limits && round > 4 && withinLimits());
       ++round) {
    time(0, [&] { useAll(p.template forward<1>(d)); });
    time(1, [&] { useAll(p.template forward<4>(d)); });
    time(2, [&] { useAll(p.template forward<8>(d)); });
    if (limits)
      continue;
    time(3, [&] { p.template reverse<1>(gradient), useAll(gradient); });
    time(4, [&] { p.template reverse<4>(gradient), useAll(gradient); });
  }
  std::printf("%-10s %10.3f ms %8.2f %8.2f", Program::Name, best[0] * 1e3, best[1] / best[0],
              best[2] / best[0]);
  if (!limits)
    std::printf(" %13.3f ms %8.2f", best[3] * 1e3, best[4] / best[3]);
  std::printf("   %.1e\n", wrong);
  return wrong < 1e-9 && (!limits || withinLimits());
}

} // namespace

int main(int count, char **names) {
  bool good = true;
  const bool limits = count > 1 && !std::strcmp(names[1], "--limits");
  std::printf("%-10s %13s %8s %8s", "program", "forward 1", "4", "8");
  if (!limits)
    std::printf(" %16s %8s", "reverse 1", "4");
  std::printf("   %s\n", "lanes against width 1");
  auto wanted = [&](const char *name) {
    for (int i = 1 + limits; i < count; ++i)
      if (!std::strcmp(names[i], name))
        return true;
    return count <= 1 + limits;
  };
  auto run = [&](auto *program) {
    using Program = std::remove_pointer_t<decltype(program)>;
    if (wanted(Program::Name))
      good &= measure<Program>(limits);
  };
  run((Chain *)nullptr);
  run((Lorenz *)nullptr);
  run((Nbody *)nullptr);
  run((Stencil *)nullptr);
  run((Matmul *)nullptr);
  run((Gmm *)nullptr);
  return good ? 0 : 1;
}
