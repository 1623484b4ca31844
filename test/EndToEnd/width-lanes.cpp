// Every lane is the derivative of width 1 to the last bit, in every mode, however shadows, seeds
// and results are handed over: pointers of their own, strides, behind enzyme_interleave, by
// reference. What the compiler makes of several lanes (vectors, loops over them) must not show.
// Lanes are equal to the last bit where shares are added in the order of the source.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-mllvm --flag=-isozyme-adjoint-order=source %s
#include "check.h"
#include <utility>

extern "C" int enzyme_dupv, enzyme_dupnoneedv, enzyme_interleave, enzyme_byref;
template <typename Return, typename... Args> Return __enzyme_augmentfwd(void *, Args...);
template <typename Return, typename... Args> Return __enzyme_reverse(void *, Args...);
template <typename Return, typename... Args> Return __enzyme_fwdsplit(void *, Args...);

double scalars(double x, double y) {
  double r = x;
  for (int i = 0; i < 4; i++)
    r = r * y > 1 ? sin(r * x) : sqrt(r * y + x * x) + exp(-r);
  return r;
}
__attribute__((noinline)) double callee(double x, double y) {
  return x > 1 ? x : callee(x + y, scalars(x, y));
}
double twice(double x, double y) { return callee(x, y) * callee(y, x); }
/// Loops that only compute: lanes are elements of vectors there.
double registers(double x, double y) {
  float half = 0.5f;
  double a = x, b = y, c = 1;
  for (int i = 0; i < 5; i++) {
    double next = a > b ? a * b - 0.25 * c : sqrt(a * a + b * b + c);
    if (i == 3)
      c = next / (c + 2);
    for (int k = 0; k < i; k++)
      b = fabs(b - next * 0.125) + (double)half;
    half = (float)(half * a);
    a = fmin(next, 3.0);
  }
  return a * b + c * half;
}
float narrow(float x, float y) { return x * y + x / (y + 2); }

/// Loops that become vectors, a sum in order, and a neighbour.
double arrays(const double *in, double *out, int n) {
  double sum = 1;
  for (int i = 0; i < n; i++)
    out[i] = in[i] * in[i] + 0.5 * in[(i + 1) % n];
  for (int i = 0; i < n; i++)
    sum += out[i] * in[i];
  return sum;
}

/// A table that loops read in no order: they read copies in which lanes are neighbours.
struct Row {
  double scale[3], start;
  float weight;
};
__attribute__((noinline)) void fillRow(Row *row, double x, double y) {
  for (int k = 0; k < 3; k++)
    row->scale[k] = sin(x + k) * y;
  row->start = x / (y + 2);
}
double tables(const double *in, double *out, int n) {
  Row rows[5];
  float powers[6];
  for (int i = 0; i < 5; i++)
    fillRow(rows + i, in[i % n], in[(i + 1) % n]);
  powers[0] = 1;
  for (int i = 1; i < 6; i++)
    powers[i] = powers[i - 1] * (float)in[0];
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int w = 0; w < 3; w++) {
      const Row &row = rows[(3 * i + w) % 5];
      double v = row.start + row.scale[w] * i;
      if (row.scale[(w + i) % 3] > 0.25)
        v = v * row.scale[0] + row.scale[1] * row.scale[2];
      sum += v > 1 ? v : v * v - sqrt(v * v + 1) + exp(row.start);
    }
    out[i] = sum * in[i];
  }
  double last = 0;
  for (int i = 0; i < n; i++)
    last += powers[i * i % 6] * powers[(i + 4) % 6];
  return last;
}

struct Pair {
  double a, b;
};
struct Large {
  double a, b, c, d;
};
Pair both(double x, double y) { return {x * y, sin(x) + y}; }
Large many(double x, double y) { return {x * y, x / y, sin(x), cos(y) * x}; }
double ofLarge(Large s) { return s.a * s.b + sin(s.c) * s.d; }
typedef double Vector __attribute__((vector_size(16)));
Vector elements(Vector x, double y) { return x * x * y; }

template <typename T, int W> struct LanesOf {
  T lane[W];
};
template <typename T, int W> struct WithPrimal {
  T primal;
  T lane[W];
};
template <int W> struct Gradients {
  double dx[W], dy[W];
};
template <int W> struct WithGradients {
  double value, dx[W], dy[W];
};

static void sameAs(const char *name, int lane, double got, double alone) {
  if (memcmp(&got, &alone, sizeof got)) {
    printf("FAILED %s, lane %d: %a is not %a\n", name, lane, got, alone);
    failures++;
  }
}

constexpr int N = 7, Most = 16;
static double x = 0.8, y = 1.3, in[N], tx[Most], ty[Most];
static double rows[Most][N], seeds[Most][N];

#define WIDE enzyme_width, W

/// Width \p W; \p L counts its lanes.
template <int W, int... L> struct Suite {
  using Doubles = LanesOf<double, W>;

  static void values() {
    auto plain = __enzyme_fwddiff<Doubles>((void *)scalars, WIDE, enzyme_dup, x, tx[L]...,
                                           enzyme_dup, y, ty[L]...);
    auto behind = __enzyme_fwddiff<WithPrimal<double, W>>((void *)scalars, enzyme_primal_return,
                                                          WIDE, enzyme_dup, x, enzyme_dup, y,
                                                          enzyme_interleave, tx[L]..., ty[L]...);
    auto byReference = __enzyme_fwddiff<Doubles>((void *)scalars, WIDE, enzyme_byref, 8, enzyme_dup,
                                                 &x, &tx[L]..., enzyme_dup, y, ty[L]...);
    auto floats = __enzyme_fwddiff<WithPrimal<float, W>>((void *)narrow, enzyme_primal_return, WIDE,
                                                         enzyme_dup, (float)x, (float)tx[L]...,
                                                         enzyme_const, (float)y);
    const double value = scalars(x, y);
    for (int i = 0; i < W; i++) {
      double alone =
          __enzyme_fwddiff<double>((void *)scalars, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i]);
      sameAs("values", i, plain.lane[i], alone);
      sameAs("interleaved values", i, behind.lane[i], alone);
      sameAs("values by reference", i, byReference.lane[i], alone);
      float alsoAlone = __enzyme_fwddiff<float>((void *)narrow, enzyme_dup, (float)x, (float)tx[i],
                                                enzyme_const, (float)y);
      sameAs("floats", i, floats.lane[i], alsoAlone);
    }
    sameAs("primal", 0, behind.primal, value);
    sameAs("primal of floats", 0, floats.primal, narrow((float)x, (float)y));
  }

  static void structs() {
    auto pairs = __enzyme_fwddiff<LanesOf<Pair, W>>((void *)both, WIDE, enzyme_dup, x, tx[L]...,
                                                    enzyme_dup, y, ty[L]...);
    auto larges = __enzyme_fwddiff<WithPrimal<Large, W>>(
        (void *)many, enzyme_primal_return, WIDE, enzyme_dup, x, tx[L]..., enzyme_dup, y, ty[L]...);
    Vector v = {0.5, -1.5};
    auto vectors = __enzyme_fwddiff<LanesOf<Vector, W>>((void *)elements, WIDE, enzyme_dup, v,
                                                        (v * tx[L])..., enzyme_dup, y, ty[L]...);
    for (int i = 0; i < W; i++) {
      auto pair = __enzyme_fwddiff<Pair>((void *)both, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i]);
      sameAs("struct a", i, pairs.lane[i].a, pair.a);
      sameAs("struct b", i, pairs.lane[i].b, pair.b);
      auto large =
          __enzyme_fwddiff<Large>((void *)many, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i]);
      sameAs("struct in memory a", i, larges.lane[i].a, large.a);
      sameAs("struct in memory d", i, larges.lane[i].d, large.d);
      auto vector = __enzyme_fwddiff<Vector>((void *)elements, enzyme_dup, v, v * tx[i], enzyme_dup,
                                             y, ty[i]);
      for (int k = 0; k < 2; k++)
        sameAs("vector", i, vectors.lane[i][k], vector[k]);
    }
    sameAs("struct in memory primal", 0, larges.primal.b, x / y);
  }

  template <double (*F)(const double *, double *, int)> static void memory() {
    double out[N], plain[W][N], strided[W][N], noneed[W][N], behind[W][N], alone[N];
    const long stride = sizeof rows[0];
    auto a = __enzyme_fwddiff<Doubles>((void *)F, WIDE, enzyme_dup, in, rows[L]..., enzyme_dup,
                                       out, plain[L]..., enzyme_const, N);
    auto b = __enzyme_fwddiff<Doubles>((void *)F, WIDE, enzyme_dupv, stride, in, rows,
                                       enzyme_dupv, stride, out, strided, enzyme_const, N);
    auto c = __enzyme_fwddiff<Doubles>((void *)F, WIDE, enzyme_dupv, stride, in, rows,
                                       enzyme_dupnoneedv, stride, out, noneed, enzyme_const, N);
    auto d =
        __enzyme_fwddiff<Doubles>((void *)F, WIDE, enzyme_dup, in, enzyme_dupnoneed, out,
                                  enzyme_const, N, enzyme_interleave, rows[L]..., behind[L]...);
    for (int i = 0; i < W; i++) {
      double t = __enzyme_fwddiff<double>((void *)F, enzyme_dup, in, rows[i], enzyme_dup, out,
                                          alone, enzyme_const, N);
      sameAs("sum", i, a.lane[i], t);
      sameAs("sum, strides", i, b.lane[i], t);
      sameAs("sum, strides, not needed", i, c.lane[i], t);
      sameAs("sum, interleaved", i, d.lane[i], t);
      for (int k = 0; k < N; k++) {
        sameAs("out", i, plain[i][k], alone[k]);
        sameAs("out, strides", i, strided[i][k], alone[k]);
        sameAs("out, strides, not needed", i, noneed[i][k], alone[k]);
        sameAs("out, interleaved", i, behind[i][k], alone[k]);
      }
    }
  }

  static void reverseOfValues() {
    Pair alone = __enzyme_autodiff<Pair>((void *)scalars, x, y);
    auto plain = __enzyme_autodiff<Gradients<W>>((void *)scalars, WIDE, x, y);
    auto primal = __enzyme_autodiff<WithGradients<W>>((void *)scalars, enzyme_primal_return, WIDE,
                                                      enzyme_byref, 8, &x, enzyme_out, y);
    auto single = __enzyme_autodiff<Doubles>((void *)scalars, WIDE, enzyme_const, x, y);
    Doubles seed;
    memcpy(seed.lane, tx, sizeof seed);
    void *tape = __enzyme_augmentfwd<void *>((void *)scalars, WIDE, x, y);
    auto seeded = __enzyme_reverse<Gradients<W>>((void *)scalars, WIDE, x, y, enzyme_byref,
                                                 (int)sizeof seed, &seed, tape);
    sameAs("value", 0, primal.value, scalars(x, y));
    for (int i = 0; i < W; i++) {
      sameAs("dx", i, plain.dx[i], alone.a);
      sameAs("dy", i, plain.dy[i], alone.b);
      sameAs("dx beside the primal", i, primal.dx[i], alone.a);
      sameAs("dy beside the primal", i, primal.dy[i], alone.b);
      double one = __enzyme_autodiff<double>((void *)scalars, enzyme_const, x, y);
      sameAs("dy alone", i, single.lane[i], one);
      tape = __enzyme_augmentfwd<void *>((void *)scalars, x, y);
      Pair split = __enzyme_reverse<Pair>((void *)scalars, x, y, tx[i], tape);
      sameAs("dx seeded", i, seeded.dx[i], split.a);
      sameAs("dy seeded", i, seeded.dy[i], split.b);
    }
  }

  static void reverseOfMemory() {
    double out[N], dout[W][N], din[W][N] = {{0}}, ein[W][N] = {{0}}, fin[W][N] = {{0}};
    double onlyOut[N], onlyIn[N];
    memcpy(dout, seeds, sizeof dout);
    __enzyme_autodiff<void>((void *)arrays, WIDE, enzyme_dup, in, din[L]..., enzyme_dup, out,
                            dout[L]..., enzyme_const, N);
    for (int i = 0; i < W; i++)
      for (int k = 0; k < N; k++)
        sameAs("seeds are used up", i, dout[i][k], 0);
    memcpy(dout, seeds, sizeof dout);
    __enzyme_autodiff<void>((void *)arrays, WIDE, enzyme_dupv, sizeof rows[0], in, ein,
                            enzyme_dupnoneedv, sizeof rows[0], out, dout, enzyme_const, N);
    memcpy(dout, seeds, sizeof dout);
    __enzyme_autodiff<void>((void *)arrays, WIDE, enzyme_dup, in, enzyme_dupnoneed, out,
                            enzyme_const, N, enzyme_interleave, fin[L]..., dout[L]...);
    for (int i = 0; i < W; i++) {
      memset(onlyIn, 0, sizeof onlyIn);
      memcpy(onlyOut, seeds[i], sizeof onlyOut);
      __enzyme_autodiff<void>((void *)arrays, enzyme_dup, in, onlyIn, enzyme_dup, out, onlyOut,
                              enzyme_const, N);
      for (int k = 0; k < N; k++) {
        sameAs("din", i, din[i][k], onlyIn[k]);
        sameAs("din, strides", i, ein[i][k], onlyIn[k]);
        sameAs("din, interleaved", i, fin[i][k], onlyIn[k]);
      }
    }
  }

  /// A struct by value: its address, and those of the shadows.
  static void structArgument() {
    Large p = {0.5, 1.5, -1, 2}, alone = {0, 0, 0, 0}, d[W] = {};
    __enzyme_autodiff<void>((void *)ofLarge, WIDE, enzyme_dup, &p, &d[L]...);
    __enzyme_autodiff<void>((void *)ofLarge, enzyme_dup, &p, &alone);
    auto forward =
        __enzyme_fwddiff<Doubles>((void *)ofLarge, WIDE, enzyme_dupv, sizeof d[0], &p, d);
    for (int i = 0; i < W; i++) {
      sameAs("struct a", i, d[i].a, alone.a);
      sameAs("struct d", i, d[i].d, alone.d);
      sameAs("struct, forward", i, forward.lane[i],
             __enzyme_fwddiff<double>((void *)ofLarge, enzyme_dup, &p, &d[i]));
    }
  }

  static void calls() {
    auto forward = __enzyme_fwddiff<Doubles>((void *)twice, WIDE, enzyme_dup, x, tx[L]...,
                                             enzyme_dup, y, ty[L]...);
    auto reverse = __enzyme_autodiff<Gradients<W>>((void *)twice, WIDE, x, y);
    Pair alone = __enzyme_autodiff<Pair>((void *)twice, x, y);
    for (int i = 0; i < W; i++) {
      sameAs("calls", i, forward.lane[i],
             __enzyme_fwddiff<double>((void *)twice, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i]));
      sameAs("calls dx", i, reverse.dx[i], alone.a);
      sameAs("calls dy", i, reverse.dy[i], alone.b);
    }
  }

  static void loops() {
    auto forward = __enzyme_fwddiff<Doubles>((void *)registers, WIDE, enzyme_dup, x, tx[L]...,
                                             enzyme_dup, y, ty[L]...);
    auto tape = [] { return __enzyme_augmentfwd<void *>((void *)registers, x, y); };
    auto replayed = __enzyme_fwdsplit<Doubles>((void *)registers, WIDE, enzyme_dup, x, tx[L]...,
                                               enzyme_dup, y, ty[L]..., tape());
    auto reverse = __enzyme_autodiff<Gradients<W>>((void *)registers, WIDE, x, y);
    Pair gradient = __enzyme_autodiff<Pair>((void *)registers, x, y);
    for (int i = 0; i < W; i++) {
      const double alone =
          __enzyme_fwddiff<double>((void *)registers, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i]);
      sameAs("loops", i, forward.lane[i], alone);
      sameAs("loops from a tape", i, replayed.lane[i],
             __enzyme_fwdsplit<double>((void *)registers, enzyme_dup, x, tx[i], enzyme_dup, y,
                                       ty[i], tape()));
      sameAs("loops dx", i, reverse.dx[i], gradient.a);
      sameAs("loops dy", i, reverse.dy[i], gradient.b);
      const double expected = tx[i] * gradient.a + ty[i] * gradient.b;
      checkWithin("forward against reverse", i, alone, expected, 2e-5, 2e-5);
    }
  }

  static void fromTape() {
    auto tape = [] { return __enzyme_augmentfwd<void *>((void *)twice, x, y); };
    auto lanes = __enzyme_fwdsplit<Doubles>((void *)twice, WIDE, enzyme_dup, x, tx[L]...,
                                            enzyme_dup, y, ty[L]..., tape());
    for (int i = 0; i < W; i++)
      sameAs("from a tape", i, lanes.lane[i],
             __enzyme_fwdsplit<double>((void *)twice, enzyme_dup, x, tx[i], enzyme_dup, y, ty[i],
                                       tape()));
    double out[N], douts[W][N], dout[N];
    const long stride = sizeof rows[0];
    auto ofArrays = [&] {
      return __enzyme_augmentfwd<void *>((void *)arrays, enzyme_dup, in, rows[0], enzyme_dup, out,
                                         dout, enzyme_const, N);
    };
    auto sums =
        __enzyme_fwdsplit<Doubles>((void *)arrays, WIDE, enzyme_dupv, stride, in, rows, enzyme_dupv,
                                   stride, out, douts, enzyme_const, N, ofArrays());
    for (int i = 0; i < W; i++) {
      sameAs("sum from a tape", i, sums.lane[i],
             __enzyme_fwdsplit<double>((void *)arrays, enzyme_dup, in, rows[i], enzyme_dup, out,
                                       dout, enzyme_const, N, ofArrays()));
      for (int k = 0; k < N; k++)
        sameAs("out from a tape", i, douts[i][k], dout[k]);
    }
  }

  static void run() {
    values();
    structs();
    memory<arrays>();
    memory<tables>();
    reverseOfValues();
    reverseOfMemory();
    structArgument();
    calls();
    loops();
    fromTape();
  }
};

template <int W, int... L> void run(std::integer_sequence<int, L...>) { Suite<W, L...>::run(); }

int main() {
  fill(in, N, 1, 0.5, 1.5);
  fill(tx, Most, 2, -1, 1);
  fill(ty, Most, 3, -1, 1);
  fill(rows[0], Most * N, 4, -1, 1);
  fill(seeds[0], Most * N, 5, -1, 1);
  tx[1] = ty[1] = 0; // Nothing, in one lane.
  run<2>(std::make_integer_sequence<int, 2>());
  run<3>(std::make_integer_sequence<int, 3>());
  run<4>(std::make_integer_sequence<int, 4>());
  run<8>(std::make_integer_sequence<int, 8>());
  auto last = __enzyme_fwddiff<LanesOf<double, 2>>((void *)scalars, enzyme_width, 2, enzyme_dup, x,
                                                   1.0, 0.0, enzyme_dup, y, 0.0, 1.0);
  CHECK("of x", last.lane[0], SLOPE(x, scalars(x, y)));
  CHECK("of y", last.lane[1], SLOPE(y, scalars(x, y)));
  run<16>(std::make_integer_sequence<int, 16>());
  return finish();
}
