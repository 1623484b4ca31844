// A union of a number, an integer and an address that functions return and are given in
// registers, as an integer: both derivatives were zero without a word.
// RUN: not %clang -w -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -w -O2 -DFORWARD %s -o %t && %t
// RUN: not %clang -w -O2 -DHANDED_ON -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DHANDED_ON -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);
struct value {
  int kind;
  union {
    double number;
    long count;
    double *place;
  };
};
__attribute__((noinline)) static struct value ofNumber(double d) {
  return (struct value){0, {.number = d}};
}
__attribute__((noinline)) static struct value same(struct value v) { return v; }
__attribute__((noinline)) static double get(const struct value *v) {
  return v->kind == 0 ? v->number : v->kind == 1 ? v->count : *v->place;
}
double f(const double *x) {
  double square = x[0] * x[0];
  struct value v[2];
#ifdef HANDED_ON
  v[0] = same((struct value){0, {.number = 2 * x[0]}});
  v[1] = same((struct value){2, {.place = &square}});
#else
  v[0] = ofNumber(square);
  v[1] = (struct value){1, {.count = 3}};
#endif
  return get(&v[0]) + get(&v[1]);
}
double derivative(const double *x, double *d) {
  // CHECK: error: {{.*(carries a floating-point number in an integer|cannot deduce whether the integer stored here|what is moved here may be a differentiated float).*}} [IZ20{{[123]}}]
#ifdef FORWARD
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, d);
#else
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  return d[0];
#endif
}
int main(void) {
  double x = 1.5, t = 2;
  return derivative(&x, &t) != 2 * x * t;
}
