// A binary heap of differentiated priorities: merging costs as Huffman does, shortest paths.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdbool.h>

typedef struct {
  double priority;
  int item;
} Element;
typedef struct {
  Element *elements;
  int count;
} Heap;

static void put(Heap *h, double priority, int item) {
  int i = h->count++;
  while (i > 0 && h->elements[(i - 1) / 2].priority > priority) {
    h->elements[i] = h->elements[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  h->elements[i].priority = priority;
  h->elements[i].item = item;
}
static bool take(Heap *h, Element *top) {
  if (h->count == 0)
    return false;
  *top = h->elements[0];
  Element last = h->elements[--h->count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->count)
      break;
    if (child + 1 < h->count && h->elements[child + 1].priority < h->elements[child].priority)
      child++;
    if (h->elements[child].priority >= last.priority)
      break;
    h->elements[i] = h->elements[child];
    i = child;
  }
  if (h->count)
    h->elements[i] = last;
  return true;
}

/* The cost of merging all weights two by two, cheapest first. */
double merging(const double *weights, int n) {
  Heap h = {malloc(n * sizeof(Element)), 0};
  Element a, b;
  double cost = 0;
  for (int i = 0; i < n; i++)
    put(&h, weights[i], i);
  while (take(&h, &a) && take(&h, &b)) {
    double both = a.priority + b.priority + 0.1 * a.priority * b.priority;
    cost += both;
    put(&h, both, -1);
  }
  free(h.elements);
  return cost;
}

typedef struct Edge {
  int to;
  double length;
  struct Edge *next;
} Edge;

double shortest(Edge *const *graph, int nodes, int from, int to) {
  double distance[nodes], result = INFINITY;
  Element storage[64], e;
  Heap h = {storage, 0};
  for (int i = 0; i < nodes; i++)
    distance[i] = INFINITY;
  distance[from] = 0;
  put(&h, 0, from);
  while (take(&h, &e)) {
    if (e.item == to) {
      result = e.priority;
      break;
    }
    if (e.priority > distance[e.item])
      continue;
    for (const Edge *out = graph[e.item]; out; out = out->next) {
      double reach = e.priority + out->length * (1 + 0.05 * e.priority);
      if (reach < distance[out->to]) {
        distance[out->to] = reach;
        put(&h, reach, out->to);
      }
    }
  }
  return result;
}

enum { N = 9, NODES = 6, EDGES = 12 };
static const int ends[EDGES][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 1}, {2, 4},
                                   {3, 5}, {4, 3}, {4, 5}, {2, 3}, {3, 4}, {0, 4}};

static void link(Edge *edges, Edge **heads, const double *lengths) {
  memset(heads, 0, NODES * sizeof *heads);
  for (int e = 0; e < EDGES; e++) {
    edges[e] = (Edge){ends[e][1], lengths[e], heads[ends[e][0]]};
    heads[ends[e][0]] = &edges[e];
  }
}

int main(void) {
  double w[N], t[EDGES], d[N] = {0}, lengths[EDGES], zero[EDGES] = {0}, inner = 0;
  fill(w, N, 69, 0.5, 2);
  fill(t, EDGES, 70, -1, 1);
  fill(lengths, EDGES, 71, 0.5, 3);
  __enzyme_autodiff((void *)merging, w, d, N);
  CHECK_SLOPES_WITHIN(1e-3, "weight", N, w, d, merging(w, N));
  CHECK_FORWARD("merging", __enzyme_fwddiff((void *)merging, w, t, N), N, t, d);

  Edge edges[EDGES], dedges[EDGES], tedges[EDGES], *graph[NODES], *dgraph[NODES], *tgraph[NODES];
  link(edges, graph, lengths);
  link(dedges, dgraph, zero);
  link(tedges, tgraph, t);
  __enzyme_autodiff((void *)shortest, graph, dgraph, NODES, 0, 5);
  for (int e = 0; e < EDGES; e++) {
    CHECK_AT("length", e, dedges[e].length,
             SLOPE_WITHIN(1e-3, edges[e].length, shortest(graph, NODES, 0, 5)));
    inner += t[e] * dedges[e].length;
  }
  CHECK("shortest forward", __enzyme_fwddiff((void *)shortest, graph, tgraph, NODES, 0, 5), inner);
  return finish();
}
