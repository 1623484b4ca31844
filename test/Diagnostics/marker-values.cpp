// A marker that has a value of its own is a number for the compiler, and 0 is a null pointer.
// RUN: not %clangxx -c -g -O0 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAW --implicit-check-not=error:
// RUN: not %clangxx -c -g -O2 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

static int enzyme_const;
static int enzyme_dup = 1;
template <typename R, typename... A> R __enzyme_autodiff(A...);
double square(double *x) { return *x * *x; }

void calls(double *x, double *dx) {
  // CHECK: marker-values.cpp:[[@LINE+2]]:3: error: argument 2 of the call is the number 0, which makes argument 1 ('x') of 'square(double*)' a null pointer, and yet it has a shadow; {{.*}}if a marker is meant, declare it 'extern int enzyme_dup;' without a value [IZ109]
  // RAW: marker-values.cpp:[[@LINE+1]]:3: error: 'enzyme_const' has a value of its own here, and is a number instead of a marker; declare it 'extern int enzyme_const;', without a value [IZ106]
  __enzyme_autodiff<void>(square, enzyme_const, x);
  // CHECK: marker-values.cpp:[[@LINE+2]]:3: error: argument 2 of the call is a 32-bit integer, but argument 1 ('x') of 'square(double*)' must be a pointer; {{.*}}if a marker is meant, declare it 'extern int enzyme_dup;' without a value [IZ109]
  // RAW: marker-values.cpp:[[@LINE+1]]:3: error: 'enzyme_dup' has a value of its own here, {{.*}} [IZ106]
  __enzyme_autodiff<void>(square, enzyme_dup, x, dx);
}
