// Ranks of a sparse graph in compressed rows, made from an edge list, iterated to a fixed point.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  unsigned short from, to;
  float since; /* not differentiated */
  double weight;
} Edge;
typedef struct {
  int nodes;
  int *start, *source;
  double *value;
} Rows;

static Rows compress(const Edge *edges, int count, int nodes) {
  Rows r = {nodes, calloc(nodes + 1, sizeof(int)), malloc(count * sizeof(int)),
            malloc(count * sizeof(double))};
  double *out = calloc(nodes, sizeof(double));
  int *next = malloc(nodes * sizeof(int));
  for (int e = 0; e < count; e++) {
    out[edges[e].from] += edges[e].weight;
    r.start[edges[e].to + 1]++;
  }
  for (int i = 0; i < nodes; i++)
    r.start[i + 1] += r.start[i];
  memcpy(next, r.start, nodes * sizeof(int));
  for (int e = 0; e < count; e++) {
    int at = next[edges[e].to]++;
    r.source[at] = edges[e].from;
    r.value[at] = edges[e].weight / out[edges[e].from];
  }
  free(out);
  free(next);
  return r;
}
static void discard(Rows *r) {
  free(r->start);
  free(r->source);
  free(r->value);
}

/* The rank of one node; *rounds says how many iterations it took. */
double rank(const Edge *edges, int count, int nodes, double damping, int wanted, int *rounds) {
  Rows r = compress(edges, count, nodes);
  double *x = malloc(nodes * sizeof *x), *y = malloc(nodes * sizeof *y), change;
  for (int i = 0; i < nodes; i++)
    x[i] = 1.0 / nodes;
  *rounds = 0;
  do {
    change = 0;
    for (int i = 0; i < nodes; i++) {
      y[i] = (1 - damping) / nodes;
      for (int k = r.start[i]; k < r.start[i + 1]; k++)
        y[i] += damping * r.value[k] * x[r.source[k]];
      change += fabs(y[i] - x[i]);
    }
    double *swap = x;
    x = y;
    y = swap;
  } while (change > 1e-12 && ++*rounds < 200);
  double result = x[wanted];
  free(x);
  free(y);
  discard(&r);
  return result;
}

int main(void) {
  Edge edges[] = {{0, 1, 1, 0.7}, {1, 2, 2, 1.2}, {2, 0, 3, 0.4}, {0, 2, 4, 0.9}, {3, 2, 5, 1.1},
                  {2, 3, 6, 0.6}, {4, 0, 7, 1.3}, {3, 4, 8, 0.8}, {1, 4, 9, 0.5}};
  enum { COUNT = sizeof edges / sizeof edges[0], NODES = 5 };
  Edge d[COUNT], t[COUNT];
  double random[COUNT], damping = 0.6, inner = 0;
  int rounds, again;
  memset(d, 0, sizeof d);
  memset(t, 0, sizeof t);
  fill(random, COUNT, 32, -1, 1);
  double dd =
      __enzyme_autodiff((void *)rank, edges, d, COUNT, NODES, damping, 2, enzyme_const, &rounds);
  for (int e = 0; e < COUNT; e++) {
    CHECK_AT("weight", e, d[e].weight,
             SLOPE(edges[e].weight, rank(edges, COUNT, NODES, damping, 2, &again)));
    t[e].weight = random[e];
    inner += random[e] * d[e].weight;
  }
  CHECK("damping", dd, SLOPE(damping, rank(edges, COUNT, NODES, damping, 2, &again)));
  show("rounds", rounds, 0);
  double tangent =
      __enzyme_fwddiff((void *)rank, edges, t, COUNT, NODES, damping, 0.7, 2, enzyme_const, &again);
  CHECK("forward", tangent, inner + 0.7 * dd);
  return finish();
}
