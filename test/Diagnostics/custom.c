// Registered derivatives that do not fit their function: one error at the culprit, and where it
// comes from.
// RUN: not %clang -O0 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct two { double a, b; };
struct two __enzyme_fwddiff_two(void *, ...);

#define GRADIENT(F, AUGMENT, REVERSE) \
  void *__enzyme_register_gradient_##F[] = {(void *)F, (void *)AUGMENT, (void *)REVERSE}

double good(double x) { return x; }
double good_reverse(double x, double seed) { return seed; }

double first(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'few' is registered for the derivative of 'first', but parameter 1 of it should be the value of parameter 1 of the function; {{.*}} [IZ211]
double few(void) { return 0; }
GRADIENT(first, few, good_reverse);

double second(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'other' is registered for the derivative of 'second', but it does not return the result of the function; {{.*}} [IZ211]
float other(double x) { return 0; }
GRADIENT(second, other, good_reverse);

double third(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'unseeded' is registered for the derivative of 'third', but it does not take the derivative of the result; {{.*}} [IZ211]
double unseeded(double x) { return 0; }
GRADIENT(third, good, unseeded);

double fourth(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'taped' is registered for the derivative of 'fourth', but its last argument is not the tape that 'good' returns; {{.*}} [IZ211]
double taped(double x, double seed, void *tape) { return 0; }
GRADIENT(fourth, good, taped);

double fifth(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'silent' is registered for the derivative of 'fifth', but it does not return the gradient of the one parameter that is a float; {{.*}} [IZ211]
void silent(double x, double seed) {}
GRADIENT(fifth, good, silent);

double sixth(const double *p) { return *p; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'shadowless' is registered for the derivative of 'sixth', but parameter 2 of it should be the shadow of parameter 1 of the function; {{.*}} [IZ211]
double shadowless(const double *p) { return *p; }
GRADIENT(sixth, shadowless, shadowless);

double seventh(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'alone' is registered for the derivative of 'seventh', but it does not return the result and its tangent; {{.*}} [IZ211]
double alone(double x, double dx) { return dx; }
void *__enzyme_register_derivative_seventh[] = {(void *)seventh, (void *)alone};

// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: the registered derivative of 'eighth' is for one direction, and cannot be called once for each of 2, since the function may change memory; {{.*}} [IZ211]
double eighth(double *p) { return *p *= 2; }
struct two along(double *p, double *dp) { return (struct two){*p *= 2, *dp *= 2}; }
void *__enzyme_register_derivative_eighth[] = {(void *)eighth, (void *)along};

double ninth(const double *p) { return *p; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'peeks' is registered for the derivative of 'ninth', but it uses the shadow of parameter 1, which is not known when the function runs; use it in 'after' [IZ211]
double peeks(const double *p, const double *dp) { return *p + *dp; }
double after(const double *p, const double *dp) { return *dp; }
void *__enzyme_register_splitderivative_ninth[] = {(void *)ninth, (void *)peeks, (void *)after};

double tenth(double x) { return x; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'whole' is registered for the derivative of 'tenth', but it does not return the tangent of the result alone; {{.*}} [IZ211]
struct two whole(double x, double dx) { return (struct two){x, dx}; }
void *__enzyme_register_splitderivative_tenth[] = {(void *)tenth, (void *)good, (void *)whole};

struct three { double v[3]; };
double eleventh(struct three s) { return s.v[0]; }
double augment_eleventh(struct three s, struct three *d) { return s.v[0]; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'copies' is registered for the derivative of 'eleventh', but parameter 2 of it should be the shadow of parameter 1 of the function; {{.*}} [IZ211]
void copies(struct three s, struct three d, double seed) { d.v[0] += seed; }
GRADIENT(eleventh, augment_eleventh, copies);
double use_eleventh(double x) { return eleventh((struct three){{x}}); }

double twelfth(struct two s) { return s.a * s.b; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}error: 'unlike' is registered for the derivative of 'twelfth', but parameter 2 of it should be the shadow of parameter 1 of the function; {{.*}} [IZ211]
struct two unlike(struct two s, double da) { return (struct two){s.a, da}; }
void *__enzyme_register_derivative_twelfth[] = {(void *)twelfth, (void *)unlike};
double use_twelfth(double x) { return twelfth((struct two){x, x}); }

double thirteenth(const double *a, const double *b) { return a[0] * b[0]; }
double augment_thirteenth(const double *a, double *da, const double *b, double *db) { return a[0] * b[0]; }
// CHECK-DAG: custom.c:[[@LINE+1]]:{{.*}}warning: 'adds' uses shadows, and 'thirteenth' is called with memory that is constant, whose shadow is the memory itself; compare the two addresses first [IZ304]
void adds(const double *a, double *da, const double *b, double *db, double s) { da[0] += s * b[0]; db[0] += s * a[0]; }
GRADIENT(thirteenth, augment_thirteenth, adds);
double use_thirteenth(const double *a, const double *b) { return thirteenth(a, b); }
extern int enzyme_const;
void go(double *a, double *d, double *b) { __enzyme_autodiff((void *)use_thirteenth, a, d, enzyme_const, b); }

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double use(double x, double *p, double *d) {
  x += __enzyme_fwdsplit((void *)ninth, p, d, __enzyme_augmentfwd((void *)ninth, p, d));
  x += __enzyme_fwdsplit((void *)tenth, x, 1.0, __enzyme_augmentfwd((void *)tenth, x));
  x += __enzyme_autodiff((void *)use_eleventh, x) + __enzyme_fwddiff((void *)use_twelfth, x, 1.0);
  x += __enzyme_autodiff((void *)first, x) + __enzyme_autodiff((void *)second, x);
  x += __enzyme_autodiff((void *)third, x) + __enzyme_autodiff((void *)fourth, x);
  // CHECK-DAG: custom.c:[[@LINE+1]]:8: note: needed for the derivative that is asked for here
  x += __enzyme_autodiff((void *)fifth, x) + __enzyme_fwddiff((void *)seventh, x, 1.0);
  __enzyme_autodiff((void *)sixth, p, d);
  struct two t = __enzyme_fwddiff_two((void *)eighth, enzyme_width, 2, p, d, d);
  return x + t.a;
}
