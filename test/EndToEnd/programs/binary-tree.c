// A search tree of structs with parent pointers: insertion, rotation to the root, recursive folds.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

struct node {
  struct node *child[2], *parent;
  int key;
  unsigned size;
  double value, total;
};
struct tree {
  struct node *root;
};

static struct node *create(int key, double value, struct node *parent) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL)
    abort();
  *n = (struct node){{NULL, NULL}, parent, key, 1, value, value};
  return n;
}
static unsigned sizeOf(const struct node *n) { return n ? n->size : 0; }
static double totalOf(const struct node *n) { return n ? n->total : 0; }
static void update(struct node *n) {
  n->size = 1 + sizeOf(n->child[0]) + sizeOf(n->child[1]);
  n->total = n->value + totalOf(n->child[0]) * totalOf(n->child[1]) + totalOf(n->child[0]);
}
static void rotateUp(struct tree *t, struct node *n) {
  struct node *p = n->parent, *g = p->parent;
  int side = p->child[1] == n;
  p->child[side] = n->child[!side];
  if (p->child[side])
    p->child[side]->parent = p;
  n->child[!side] = p;
  p->parent = n;
  n->parent = g;
  if (g)
    g->child[g->child[1] == p] = n;
  else
    t->root = n;
  update(p);
  update(n);
}
static void splay(struct tree *t, struct node *n) {
  while (n->parent) {
    struct node *p = n->parent;
    if (p->parent)
      rotateUp(t, (p->child[1] == n) == (p->parent->child[1] == p) ? p : n);
    rotateUp(t, n);
  }
}
static void insert(struct tree *t, int key, double value) {
  struct node **at = &t->root, *parent = NULL;
  while (*at) {
    parent = *at;
    if (parent->key == key) {
      parent->value *= value;
      update(parent);
      splay(t, parent);
      return;
    }
    at = &parent->child[key > parent->key];
  }
  *at = create(key, value, parent);
  splay(t, *at);
}
static double fold(const struct node *n, int depth) {
  if (!n)
    return 0;
  return n->value * (depth + 1) + 0.5 * fold(n->child[0], depth + 1) -
         0.3 * fold(n->child[1], depth + 1);
}
static void destroy(struct node *n) {
  if (n) {
    destroy(n->child[0]);
    destroy(n->child[1]);
    free(n);
  }
}

double build(const double *values, const int *keys, int n, double *totals) {
  struct tree t = {NULL};
  for (int i = 0; i < n; i++) {
    insert(&t, keys[i], values[i]);
    totals[i] = t.root->total;
  }
  double result = fold(t.root, 0) + 0.01 * t.root->size;
  destroy(t.root);
  return result;
}

enum { N = 10 };
static const int keys[N] = {5, 2, 9, 1, 7, 3, 2, 8, 6, 9};
static double weighted(const double *v, const double *w) {
  double totals[N], result = build(v, keys, N, totals);
  return result + innerProduct(w, totals, N);
}

int main(void) {
  double v[N], w[N], t[N], d[N] = {0}, totals[N], dtotals[N], ttotals[N] = {0};
  fill(v, N, 64, 0.5, 1.5);
  fill(w, N, 65, -1, 1);
  fill(t, N, 66, -1, 1);
  memcpy(dtotals, w, sizeof w);
  __enzyme_autodiff((void *)build, v, d, enzyme_const, keys, N, totals, dtotals);
  CHECK_SLOPES("value", N, v, d, weighted(v, w));
  double tangent = __enzyme_fwddiff((void *)build, v, t, enzyme_const, keys, N, totals, ttotals);
  CHECK_FORWARD("build", tangent + innerProduct(w, ttotals, N), N, t, d);
  return finish();
}
