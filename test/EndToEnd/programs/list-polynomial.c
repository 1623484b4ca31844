// Polynomials as sorted linked lists: insertion into the middle, addition, products, evaluation.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct term {
  int exponent;
  double coefficient;
  struct term *next;
} term;

static void addTerm(term **head, int exponent, double coefficient) {
  while (*head && (*head)->exponent < exponent)
    head = &(*head)->next;
  if (*head && (*head)->exponent == exponent) {
    (*head)->coefficient += coefficient;
    return;
  }
  term *t = malloc(sizeof *t);
  t->exponent = exponent;
  t->coefficient = coefficient;
  t->next = *head;
  *head = t;
}
static term *product(const term *a, const term *b) {
  term *result = NULL;
  for (const term *p = a; p; p = p->next)
    for (const term *q = b; q; q = q->next)
      addTerm(&result, p->exponent + q->exponent, p->coefficient * q->coefficient);
  return result;
}
static double evaluate(const term *p, double x) {
  double sum = 0, power = 1;
  int reached = 0;
  for (; p; p = p->next) {
    for (; reached < p->exponent; reached++)
      power *= x;
    sum += p->coefficient * power;
  }
  return sum;
}
static void release(term *p) {
  while (p) {
    term *next = p->next;
    free(p);
    p = next;
  }
}
static term *fromArray(const double *c, const int *exponents, int n) {
  term *p = NULL;
  for (int i = 0; i < n; i++)
    addTerm(&p, exponents[i], c[i]);
  return p;
}

static const int exponentsA[] = {3, 0, 1, 5, 3}, exponentsB[] = {2, 2, 4, 0};
enum { A = 5, B = 4 };

/* (a*b + a)(x), where the exponents are out of order and repeated */
double value(const double *a, const double *b, double x) {
  term *p = fromArray(a, exponentsA, A), *q = fromArray(b, exponentsB, B), *r = product(p, q);
  for (const term *t = p; t; t = t->next)
    addTerm(&r, t->exponent, t->coefficient);
  double result = evaluate(r, x);
  release(p);
  release(q);
  release(r);
  return result;
}

int main(void) {
  double a[A], b[B], x = 0.9, t[A + B], d[A + B] = {0};
  fill(a, A, 18, -1, 1);
  fill(b, B, 19, -1, 1);
  fill(t, A + B, 20, -1, 1);
  double dx = __enzyme_autodiff((void *)value, a, d, b, d + A, x);
  CHECK_SLOPES("a", A, a, d, value(a, b, x));
  CHECK_SLOPES("b", B, b, d + A, value(a, b, x));
  CHECK("x", dx, SLOPE(x, value(a, b, x)));
  double tangent = __enzyme_fwddiff((void *)value, a, t, b, t + A, x, 0.7);
  CHECK("forward", tangent, innerProduct(t, d, A + B) + 0.7 * dx);
  return finish();
}
