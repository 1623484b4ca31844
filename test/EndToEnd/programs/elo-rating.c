// Ratings of players updated game by game: records with names, results as characters, log loss.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct player {
  const char *name;
  double rating, deviation;
  int games;
} player_t;
typedef struct {
  const char *white, *black;
  char result; /* '1', '0' or '=' */
} game_t;
typedef struct {
  double scale, k, home, decay;
} settings_t;

static player_t *by_name(player_t *players, int n, const char *name) {
  for (player_t *p = players; p < players + n; p++)
    if (!strcmp(p->name, name))
      return p;
  return NULL;
}
static double points(char result) { return result == '1' ? 1 : result == '0' ? 0 : 0.5; }

/* Updates all players; returns the loss of the predictions, or -1 for an unknown name. */
double season(const settings_t *s, player_t *players, int n, const game_t *games, int count) {
  double loss = 0;
  for (const game_t *g = games; count--; g++) {
    player_t *w = by_name(players, n, g->white), *b = by_name(players, n, g->black);
    if (!w || !b)
      return -1;
    double gap = w->rating + s->home - b->rating;
    double expected = 1 / (1 + pow(10, -gap / s->scale)), got = points(g->result);
    loss -= got * log(expected) + (1 - got) * log1p(-expected);
    double kw = s->k * w->deviation / sqrt(1 + w->games),
           kb = s->k * b->deviation / sqrt(1 + b->games);
    w->rating += kw * (got - expected);
    b->rating -= kb * (got - expected);
    w->deviation *= s->decay, b->deviation *= s->decay;
    w->games++;
    b->games++;
  }
  return loss;
}

static const game_t games[] = {{"Ada", "Bob", '1'}, {"Cyd", "Ada", '='}, {"Bob", "Cyd", '0'},
                               {"Dan", "Ada", '0'}, {"Cyd", "Dan", '1'}, {"Bob", "Dan", '='},
                               {"Ada", "Cyd", '1'}, {"Dan", "Bob", '1'}};
enum { GAMES = sizeof games / sizeof games[0], N = 4 };
static const char *const names[N] = {"Ada", "Bob", "Cyd", "Dan"};

static void prepare(player_t *p, const double *ratings) {
  for (int i = 0; i < N; i++)
    p[i] = (player_t){names[i], ratings[i], 1 + 0.1 * i, 0};
}
/* loss + w . final ratings */
static double weighted(const settings_t *s, const double *ratings, const double *w) {
  player_t p[N];
  prepare(p, ratings);
  double sum = season(s, p, N, games, GAMES);
  for (int i = 0; i < N; i++)
    sum += w[i] * p[i].rating;
  return sum;
}

int main(void) {
  settings_t s = {4, 0.3, 0.35, 0.93}, ds = {0, 0, 0, 0}, ts = {0.5, 0.1, -0.2, 0.3};
  double r[N] = {15.2, 14.8, 15.9, 15.1}, w[N], t[N], d[N];
  player_t p[N], dp[N], tp[N];
  fill(w, N, 89, -1, 1);
  fill(t, N, 90, -1, 1);
  prepare(p, r);
  prepare(dp, w);
  for (int i = 0; i < N; i++)
    dp[i].deviation = 0;
  __enzyme_autodiff((void *)season, &s, &ds, p, dp, N, enzyme_const, games, GAMES);
  for (int i = 0; i < N; i++)
    d[i] = dp[i].rating;
  CHECK_SLOPES("setting", 4, (double *)&s, (double *)&ds, weighted(&s, r, w));
  CHECK_SLOPES("rating", N, r, d, weighted(&s, r, w));
  prepare(p, r);
  prepare(tp, t);
  for (int i = 0; i < N; i++)
    tp[i].deviation = 0;
  double tangent = __enzyme_fwddiff((void *)season, &s, &ts, p, tp, N, enzyme_const, games, GAMES);
  for (int i = 0; i < N; i++)
    tangent += w[i] * tp[i].rating;
  CHECK("forward", tangent, innerProduct((double *)&ts, (double *)&ds, 4) + innerProduct(t, d, N));
  return finish();
}
