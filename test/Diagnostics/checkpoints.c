// Why a loop with isozyme_checkpoint cannot be run in parts: one error for each, with its reason.
// RUN: not %clang -O1 -gline-tables-only -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang -O0 -gline-tables-only -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.o
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
extern void isozyme_checkpoint(void);
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);

// CHECK-DAG: [[@LINE+5]]:{{.*}}error: the loop with 'isozyme_checkpoint' cannot be run in parts: 'printf' may write memory, or do something that is not to be done twice; change the loop, or take the call out [IZ215]
static double prints(double x, int n) {
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    x = x * x;
    printf("%d %d\n", i, n);
  }
  return x;
}

// CHECK-DAG: [[@LINE+3]]:{{.*}}error: the loop with 'isozyme_checkpoint' cannot be run in parts: the number of iterations is not known before the loop; change the loop, or take the call out [IZ215]
static double converges(double x) {
  while (x > 1e-9) {
    isozyme_checkpoint();
    x = x * x;
  }
  return x;
}

// CHECK-DAG: [[@LINE+4]]:{{.*}}error: the loop with 'isozyme_checkpoint' cannot be run in parts: it is not known before the loop how much of {{.*}} is overwritten here; change the loop, or take the call out [IZ215]
static double scattered(double *x, const int *where, int n) {
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    x[where[i]] *= x[i];
  }
  return x[0];
}

// CHECK-DAG: error: the loop with 'isozyme_checkpoint' cannot be run in parts: memory is allocated or released in the loop; change the loop, or take the call out [IZ215]
static double allocates(double *x, int n) {
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    double *t = malloc(n * sizeof *t);
    for (int j = 0; j < n; j++)
      t[j] = x[j] * x[j];
    for (int j = 0; j < n; j++)
      x[j] = t[n - 1 - j];
    free(t);
  }
  return x[0];
}

struct node {
  double value;
  struct node *next;
};
// CHECK-DAG: error: the loop with 'isozyme_checkpoint' cannot be run in parts: a pointer goes from iteration to iteration, and is more than one of several; change the loop, or take the call out [IZ215]
static double follows(struct node *l, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    sum += l->value * l->value;
    l = l->next;
  }
  return sum;
}

// CHECK-DAG: error: a derivative that runs a loop in parts is differentiated again; take the call of 'isozyme_checkpoint' out of the loop [IZ215]
static double squares(double x, int n) {
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    x = x * x * 0.5 + 0.1;
  }
  return x;
}
static double first(double x, int n) { return __enzyme_autodiff((void *)squares, x, n); }

double ask(double *x, double *dx, int *where, struct node *l, struct node *dl, int n) {
  return __enzyme_autodiff((void *)prints, 0.5, n) + __enzyme_autodiff((void *)converges, 0.5) +
         __enzyme_autodiff((void *)scattered, x, dx, enzyme_const, where, n) +
         __enzyme_autodiff((void *)allocates, x, dx, n) +
         __enzyme_autodiff((void *)follows, l, dl, n) +
         __enzyme_fwddiff((void *)first, 0.5, 1.0, n) +
         // Forward mode knows no parts.
         __enzyme_fwddiff((void *)squares, 0.5, 1.0, n) +
         __enzyme_fwddiff((void *)converges, 0.5, 1.0);
}
