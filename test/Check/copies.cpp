// Structures are copied as bytes: which of these are numbers is what shows when the copy is used.
// RUN: %clangxx -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: env ISOZYME_CHECK=zero %t0 right 2>&1 | FileCheck --check-prefix=RIGHT %s
// RUN: env ISOZYME_CHECK=zero %t2 right 2>&1 | FileCheck --check-prefix=RIGHT %s
// RUN: not %t0 wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %t2 wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not env ISOZYME_CHECK=zero %t2 unclear 2>&1 | FileCheck --check-prefix=UNCLEAR %s
#include <cstring>
#include <isozyme/isozyme.h>
#include <utility>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);

static double slope = 2;
__attribute__((noinline)) double square(double x) { return x * x; }
double augmentSquare(double x) { return x * x; }
double reverseSquare(double x, double seed) { return slope * x * seed; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmentSquare,
                                             (void *)reverseSquare};

struct Particle {
  double x, v;
  int id; // Nobody reads it.
};
struct World {
  std::vector<Particle> all;
  std::vector<std::pair<int, int>> springs;
  double k;
};
double simulate(const World &start, int n) {
  World w = start;
  for (int i = 0; i < n; i++) {
    for (Particle &p : w.all) {
      p.v -= 0.1 * w.k * p.x;
      p.x += 0.1 * p.v;
    }
    for (auto [a, b] : w.springs)
      w.all[a].v += 0.1 * (w.all[b].x - w.all[a].x);
  }
  double sum = 0;
  for (Particle &p : w.all)
    sum += square(p.x);
  return sum;
}

// What is a number in one copy is one in the others: here, where it comes from and goes to.
struct Pair {
  double x;
  long count;
};
double through(const Pair *in, Pair *out) {
  Pair middle[2];
  memcpy(middle, in, sizeof middle);
  memcpy(out, middle, sizeof middle);
  return square(middle[1].x) + in[0].x;
}
// Passed by value, returned by address, chosen.
struct Four {
  double a, b, c;
  int n;
};
__attribute__((noinline)) double third(Four f) { return f.n * square(f.c); }
double chosen(const Four *f, int which) {
  Four one = which ? f[1] : f[0];
  return third(one) + one.a * one.b;
}

// Source and destination overlap.
double slide(const Pair *in) {
  Pair all[4] = {};
  memcpy(all, in, 2 * sizeof *in);
  memmove(all + 1, all, 3 * sizeof *all);
  return all[1].x * all[2].x * all[2].x;
}

int main(int argc, char **argv) {
  bool Wrong = !strcmp(argv[1], "wrong"), Unclear = !strcmp(argv[1], "unclear");
  slope = Wrong ? 3 : 2;
  World w{{{1, 0, 0}, {2, 1, 1}}, {{0, 1}}, 3}, d{{{0, 0, 0}, {0, 0, 1}}, {{0, 1}}, 0};
  d.all[1].v = Unclear;
  // WRONG: copies.cpp:[[#@LINE+2]]:{{[0-9]+}}: isozyme check: the gradient of 'simulate(World const&, int)' is wrong at argument 1 (start), element
  // UNCLEAR: copies.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: the shadow of argument 1 (start), element [0][4] is 1 before the call
  __enzyme_autodiff((void *)simulate, enzyme_dup, &w, &d, enzyme_const, 10);
  Pair in[2] = {{1, 7}, {2, 8}}, din[2] = {{0, 7}, {0, 8}};
  Pair out[2] = {{3, 1}, {4, 1}}, dout[2] = {{0.5, 1}, {0.25, 1}};
  // WRONG: copies.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: the gradient of 'through(Pair const*, Pair*)' is wrong at argument 1 (in), element [2]: reverse mode 6.25, differences 4.25
  __enzyme_autodiff((void *)through, in, din, out, dout);
  Four four[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, dfour[2] = {{0, 0, 0, 4}, {0, 0, 0, 8}};
  // WRONG: copies.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: the gradient of 'chosen(Four const*, int)' is wrong at argument 1 (f), element [6]: reverse mode 168, differences 112
  __enzyme_autodiff((void *)chosen, four, dfour, enzyme_const, 1);
  Pair dslide[2] = {{0, 7}, {0, 8}};
  __enzyme_autodiff((void *)slide, in, dslide);
  // RIGHT-NOT: isozyme check: {{note|the shadow}}
  // RIGHT: isozyme check: 4 calls checked, 0 wrong{{$}}
  // WRONG: isozyme check: 4 calls checked, 3 wrong{{$}}
}
