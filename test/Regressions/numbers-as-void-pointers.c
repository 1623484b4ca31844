// Numbers whose bits are handed about as 'void *', by functions that are not inlined and do more
// than move them: compare, read from volatile memory, keep in a list beside addresses. Their
// derivatives were zero. What cannot be followed is an error.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --keep=plan --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1 --flag=-DWRONG=picked --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O2 -DWRONG=picked -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HANDED %s
// RUN: not %clang -w -O1 -DWRONG=asked -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: not %clang -w -O1 -DWRONG=queued -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HANDED %s
// RUN: not %clang -w -O2 -DWRONG=queued -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HANDED %s
// RUN: not %clang -w -O1 -DWRONG=named -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: not %clang -w -O2 -DWRONG=named -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HANDED %s
// HANDED: error: the bits of a differentiated float are handed on as an address; {{.*}} [IZ202]
// KEPT: error: the bits of a differentiated float are kept in memory as an address; {{.*}} [IZ202]
#include "check.h"
#define APART __attribute__((noinline))
typedef union {
  void *address;
  double number;
} cell;

static APART cell pick(const cell *from, int k) {
  cell c = from[k];
  if (!c.address)
    c.number = 1;
  return c;
}
double picked(const double *x) {
  cell a[3];
  for (int i = 0; i < 3; i++)
    a[i].number = x[i] * x[i];
  a[1].address = 0;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += pick(a, i).number * (i + 1);
  return sum;
}

static APART void *ask(void *volatile *at) { return *at; }
double asked(const double *x) {
  cell a, b;
  a.number = x[0] * x[1];
  b.address = ask(&a.address);
  return b.number * x[2];
}

typedef struct node {
  struct node *next;
  void *load;
} node;
static APART void push(node **list, void *load) {
  node *n = malloc(sizeof *n);
  n->next = *list;
  n->load = load;
  *list = n;
}
static APART void *pop(node **list) {
  node *n = *list;
  void *load = n->load;
  *list = n->next;
  free(n);
  return load;
}
static APART void *box(double value) {
  void *p;
  memcpy(&p, &value, sizeof p);
  return p;
}
static APART double unbox(void *p) {
  double value;
  memcpy(&value, &p, sizeof value);
  return value;
}
double queued(const double *x) {
  node *list = 0;
  for (int i = 0; i < 3; i++)
    push(&list, box(x[i] * x[i]));
  double sum = 0, weight = 1;
  while (list)
    sum += (weight *= 3) * unbox(pop(&list));
  return sum;
}

// What an earlier call has left in such a place is no address.
typedef struct {
  const char *name;
  void *value;
} entry;
static entry table[4];
static int count;
static APART void set(const char *name, void *value) {
  table[count].name = name;
  table[count++].value = value;
}
static APART void *get(const char *name) {
  for (int i = 0; i < count; i++)
    if (!strcmp(table[i].name, name))
      return table[i].value;
  return 0;
}
double named(const double *x) {
  count = 0;
  cell a, b;
  a.number = x[0] * x[1];
  set("a", a.address);
  b.number = x[2];
  set("b", b.address);
  a.address = get("b");
  b.address = get("a");
  return a.number * a.number * b.number;
}

int main(void) {
  double x[3] = {1.3, 0.7, 0.9}, t[3] = {0.3, -1, 2};
#ifdef WRONG
  CHECK_FUNCTION(WRONG, 3, x, t);
#else
  named(x);
  CHECK_FUNCTION(picked, 3, x, t);
  CHECK_FUNCTION(queued, 3, x, t);
  CHECK_FUNCTION(named, 3, x, t);
#endif
  return finish();
}
