// Values by name in a table of linked records: what strcpy returns, and nobody reads, counted as the
// address of numbers that have no derivatives.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --keep plan %s
#include "check.h"
struct entry {
  char *name;
  double value;
  struct entry *next;
};
struct table {
  struct entry *first[4];
};
static __attribute__((noinline)) struct entry *find(struct table *t, const char *name) {
  struct entry **at = &t->first[name[0] & 3];
  for (; *at; at = &(*at)->next)
    if (!strcmp((*at)->name, name))
      return *at;
  struct entry *e = malloc(sizeof *e);
  e->name = malloc(strlen(name) + 1);
  strcpy(e->name, name);
  e->value = 0;
  e->next = NULL;
  return *at = e;
}
static void drop(struct table *t) {
  for (int i = 0; i < 4; i++)
    for (struct entry *e = t->first[i], *next; e; e = next) {
      next = e->next;
      free(e->name);
      free(e);
    }
}
double evaluate(const double *x) {
  struct table t = {{0}};
  char name[8];
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "x%d", i);
    find(&t, name)->value = x[i];
  }
  find(&t, "product")->value = find(&t, "x0")->value * find(&t, "x1")->value;
  find(&t, "all")->value = find(&t, "product")->value * find(&t, "product")->value;
  double result = find(&t, "all")->value + sin(find(&t, "x2")->value);
  drop(&t);
  return result;
}
int main(void) {
  double x[3] = {0.7, 1.3, 0.4}, t[3] = {1, -0.5, 2};
  CHECK_FUNCTION(evaluate, 3, x, t);
  return finish();
}
