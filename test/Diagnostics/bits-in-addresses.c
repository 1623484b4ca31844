// A float that is handed on as an address, the item of a list. Addresses have addresses for shadows, no
// derivatives.
// RUN: not %clang -w -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -g -fno-strict-aliasing -c %s -o %t.o 2>&1 | FileCheck %s
#include <string.h>
typedef struct list {
  struct list *next;
  void *item;
} list;
static list pool[8];
__attribute__((noinline)) static list *cons(list *l, void *item, list *next) {
  l->item = item;
  l->next = next;
  return l;
}
double listed(const double *x, int n) {
  list *l = 0;
  for (int i = 0; i < n; i++) {
    double number = x[i] * x[i], weight = 1;
    void *item;
    memcpy(&item, &number, sizeof item);
    // CHECK: error: the bits of a differentiated float are handed on as an address; hand on the float itself, or a pointer to it [IZ202]
    l = cons(&pool[i], item, l);
  }
  double sum = 0, number;
  for (; l; l = l->next) {
    memcpy(&number, &l->item, sizeof number);
    sum += sum + number;
  }
  return sum;
}
double __enzyme_autodiff(void *, ...);
void gradients(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)listed, x, dx, n);
  // CHECK: 1 error generated
}
