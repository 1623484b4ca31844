// An Ising-like energy on a torus: spins packed in bits, couplings by direction, Metropolis moves.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdint.h>

#define L 6

typedef struct {
  double right[L][L], down[L][L], field;
} Couplings;
typedef struct {
  uint32_t rows[L];
} Spins;

static inline int spin(const Spins *s, int y, int x) {
  return (s->rows[(y + L) % L] >> ((x + L) % L)) & 1u ? 1 : -1;
}
static inline void flip(Spins *s, int y, int x) { s->rows[y] ^= 1u << x; }

static uint64_t state;
static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static double energy(const Couplings *c, const Spins *s) {
  double e = 0;
  for (int y = 0; y < L; y++)
    for (int x = 0; x < L; x++)
      e -= spin(s, y, x) *
           (c->right[y][x] * spin(s, y, x + 1) + c->down[y][x] * spin(s, y + 1, x) + c->field);
  return e;
}
static double change(const Couplings *c, const Spins *s, int y, int x) {
  double local =
      c->right[y][x] * spin(s, y, x + 1) + c->right[y][(x + L - 1) % L] * spin(s, y, x - 1) +
      c->down[y][x] * spin(s, y + 1, x) + c->down[(y + L - 1) % L][x] * spin(s, y - 1, x);
  return 2 * spin(s, y, x) * (local + c->field);
}

/* The mean energy over a run whose path is fixed by the seed, plus log-probabilities of its moves. */
double meanEnergy(const Couplings *c, double beta, int sweeps, uint64_t seed) {
  Spins s = {{0x2a, 0x15, 0x33, 0x0c, 0x1e, 0x21}};
  double sum = 0, score = 0;
  state = seed;
  for (int n = 0; n < sweeps; n++) {
    for (int k = 0; k < L * L; k++) {
      int at = (int)(uniform() * (L * L));
      double cost = change(c, &s, at / L, at % L);
      double accept = 1 / (1 + exp(beta * cost));
      if (uniform() < accept) {
        flip(&s, at / L, at % L);
        score += log(accept);
      } else {
        score += log(1 - accept);
      }
    }
    sum += energy(c, &s);
  }
  return sum / sweeps + 0.1 * score;
}

enum { N = sizeof(Couplings) / sizeof(double) };

int main(void) {
  static Couplings c, d, t;
  double *x = (double *)&c, *dx = (double *)&d, *tx = (double *)&t, beta = 0.4;
  fill(x, N, 56, -1, 1);
  fill(tx, N, 57, -1, 1);
  double db =
      __enzyme_autodiff((void *)meanEnergy, &c, &d, beta, 5, (uint64_t)88172645463325252ull);
  for (int i = 0; i < N; i++)
    CHECK_AT("coupling", i, dx[i],
             SLOPE_WITHIN(1e-4, x[i], meanEnergy(&c, beta, 5, 88172645463325252ull)));
  CHECK("beta", db, SLOPE_WITHIN(1e-4, beta, meanEnergy(&c, beta, 5, 88172645463325252ull)));
  double tangent =
      __enzyme_fwddiff((void *)meanEnergy, &c, &t, beta, 0.7, 5, (uint64_t)88172645463325252ull);
  CHECK("forward", tangent, innerProduct(tx, dx, N) + 0.7 * db);
  return finish();
}
