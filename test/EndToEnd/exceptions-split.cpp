// The two halves of a pair, and forward mode from a tape, of functions that catch numbers: shadows of what was thrown
// go with the tape, whichever order tapes are used in, on whichever thread.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --flag=-std=c++20 %s
#include "check.h"
#include <malloc.h>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

int enzyme_dup, enzyme_out, enzyme_const, enzyme_width;
struct Both {
  void *tape;
  double value;
};
struct Two {
  double lane[2];
};
template <class... T> Both __enzyme_augmentfwd(T...);
template <class... T> void *__enzyme_augmentfwd_tape(T...);
template <class... T> double __enzyme_reverse(T...);
template <class... T> double __enzyme_fwdsplit(T...);
template <class... T> Two __enzyme_reverse_two(T...);

struct Failure {
  double value;
  int code;
};
static double __attribute__((noinline)) risky(double p, double q, int i) {
  std::vector<double> held{p, q};
  if (i % 3 == 1)
    throw Failure{q * sin(p), i};
  if (i % 3 == 2)
    throw std::runtime_error("text");
  return held[0] * held[1];
}
__attribute__((noinline)) double guarded(double *in, int n, double a) {
  double sum = a;
  for (int i = 0; i < n; i++)
    try {
      sum += risky(in[i], sum, i);
    } catch (const Failure &failure) {
      sum = sum * 0.6 + failure.value * failure.code;
    } catch (const std::exception &) {
      sum *= 0.5;
    }
  return sum;
}

enum { N = 5, Tapes = 3 };
struct Run {
  double x[N], d[N], a = 0.7, da = 0;
  void *tape = nullptr;
};
static void begin(Run *runs) {
  for (int k = 0; k < Tapes; k++) {
    fill(runs[k].x, N, 3 + k, 0.2, 1.2);
    memset(runs[k].d, 0, sizeof runs[k].d);
    runs[k].tape = __enzyme_augmentfwd_tape((void *)guarded, enzyme_dup, runs[k].x, runs[k].d,
                                            enzyme_const, int(N), enzyme_out, runs[k].a);
  }
}
static void end(Run &run) {
  run.da = __enzyme_reverse((void *)guarded, enzyme_dup, run.x, run.d, enzyme_const, int(N),
                            enzyme_out, run.a, 1.0, run.tape);
}
static void check(Run *runs) {
  for (int k = 0; k < Tapes; k++) {
    double *x = runs[k].x;
    for (int i = 0; i < N; i++)
      CHECK_AT("x", i, runs[k].d[i], SLOPE(x[i], guarded(x, N, 0.7)));
    double a = 0.7;
    CHECK("a", runs[k].da, SLOPE(a, guarded(x, N, a)));
  }
}
static void inOrder(Run *runs) {
  begin(runs);
  for (int k = 0; k < Tapes; k++)
    end(runs[k]);
}
static void backwards(Run *runs) {
  begin(runs);
  for (int k = Tapes; k-- > 0;)
    end(runs[k]);
}
static void elsewhere(Run *runs) {
  begin(runs);
  std::thread([=] { end(runs[1]); }).join();
  end(runs[0]);
  end(runs[2]);
}
static void lanes(Run *runs) {
  Run &run = runs[0];
  fill(run.x, N, 3, 0.2, 1.2);
  double other[N] = {};
  memset(run.d, 0, sizeof run.d);
  void *tape = __enzyme_augmentfwd_tape((void *)guarded, enzyme_width, 2, enzyme_dup, run.x, run.d,
                                        other, enzyme_const, int(N), enzyme_out, run.a);
  Two seeds = {{1, 2}};
  Two got = __enzyme_reverse_two((void *)guarded, enzyme_width, 2, enzyme_dup, run.x, run.d, other,
                                 enzyme_const, int(N), enzyme_out, run.a, seeds, tape);
  CHECK("second lane", got.lane[1], 2 * got.lane[0]);
}

// Does memory grow from run to run? The allocator keeps some blocks back, which count as used.
template <class F> static void leavesNothing(const char *name, F run) {
  Run runs[Tapes];
  run(runs);
  size_t before = mallinfo2().uordblks;
  for (int k = 0; k < 50; k++)
    run(runs);
  CHECK(name, double(mallinfo2().uordblks > before + 50 * 64), 0);
}

int main() {
  Run runs[Tapes];
  inOrder(runs);
  check(runs);
  backwards(runs);
  check(runs);
  elsewhere(runs);
  check(runs);
  leavesNothing("in order", inOrder);
  leavesNothing("backwards", backwards);
  leavesNothing("lanes", lanes);
  return finish();
}
