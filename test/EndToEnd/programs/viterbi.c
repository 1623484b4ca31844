// A hidden Markov model: the best path by back pointers, and the likelihood by the forward pass.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define STATES 3
#define SYMBOLS 4
#define MAX_LENGTH 32

typedef struct {
  double start[STATES];
  double jump[STATES][STATES];
  double emit[STATES][SYMBOLS];
} Model;
enum { PARAMETERS = sizeof(Model) / sizeof(double) };

/* Scores are logarithms. Writes the best path and returns its score. */
double viterbi(const Model *m, const int *seen, int n, int *path) {
  double score[MAX_LENGTH][STATES];
  int back[MAX_LENGTH][STATES];
  if (n <= 0 || n > MAX_LENGTH)
    return 0;
  for (int s = 0; s < STATES; s++)
    score[0][s] = m->start[s] + m->emit[s][seen[0]];
  for (int t = 1; t < n; t++)
    for (int s = 0; s < STATES; s++) {
      int best = 0;
      for (int r = 1; r < STATES; r++)
        if (score[t - 1][r] + m->jump[r][s] > score[t - 1][best] + m->jump[best][s])
          best = r;
      back[t][s] = best;
      score[t][s] = score[t - 1][best] + m->jump[best][s] + m->emit[s][seen[t]];
    }
  int last = 0;
  for (int s = 1; s < STATES; s++)
    if (score[n - 1][s] > score[n - 1][last])
      last = s;
  double result = score[n - 1][last];
  for (int t = n - 1; t >= 0; t--) {
    path[t] = last;
    if (t > 0)
      last = back[t][last];
  }
  return result;
}

static double logSumExp(const double *x, int n) {
  double m = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    m = x[i] > m ? x[i] : m;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - m);
  return m + log(sum);
}
double likelihood(const Model *m, const int *seen, int n) {
  double alpha[STATES], before[STATES], terms[STATES];
  for (int s = 0; s < STATES; s++)
    alpha[s] = m->start[s] + m->emit[s][seen[0]];
  for (int t = 1; t < n; t++) {
    memcpy(before, alpha, sizeof alpha);
    for (int s = 0; s < STATES; s++) {
      for (int r = 0; r < STATES; r++)
        terms[r] = before[r] + m->jump[r][s];
      alpha[s] = logSumExp(terms, STATES) + m->emit[s][seen[t]];
    }
  }
  return logSumExp(alpha, STATES);
}

enum { N = 12 };

int main(void) {
  static const int seen[N] = {0, 1, 3, 3, 2, 0, 1, 1, 2, 3, 0, 2};
  Model m, best = {{0}}, d = {{0}}, t, counts = {{0}};
  int path[N];
  double *x = (double *)&m, *found = (double *)&best, *expected = (double *)&counts;
  fill(x, PARAMETERS, 61, -3, 0);
  fill((double *)&t, PARAMETERS, 62, -1, 1);

  __enzyme_autodiff((void *)viterbi, &m, &best, enzyme_const, seen, N, enzyme_const, path);
  /* The gradient counts what the path uses. */
  for (int i = 0; i < N; i++) {
    counts.emit[path[i]][seen[i]]++;
    if (i == 0)
      counts.start[path[i]]++;
    else
      counts.jump[path[i - 1]][path[i]]++;
  }
  for (int i = 0; i < PARAMETERS; i++)
    CHECK_AT("path", i, found[i], expected[i]);
  CHECK_FORWARD(
      "viterbi",
      __enzyme_fwddiff((void *)viterbi, &m, &t, enzyme_const, seen, N, enzyme_const, path),
      PARAMETERS, (double *)&t, found);

  __enzyme_autodiff((void *)likelihood, &m, &d, enzyme_const, seen, N);
  CHECK_SLOPES("likelihood", PARAMETERS, x, (double *)&d, likelihood(&m, seen, N));
  CHECK_FORWARD("likelihood", __enzyme_fwddiff((void *)likelihood, &m, &t, enzyme_const, seen, N),
                PARAMETERS, (double *)&t, (double *)&d);
  return finish();
}
