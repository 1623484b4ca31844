// An annotation of Isozyme where it would be ignored in silence: parameters, local variables, members.
// RUN: not %clang -c -g -O0 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clang -c -g -O2 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
double __enzyme_autodiff(void *, ...);

__attribute__((annotate("enzyme_inactive"))) double calls;
double local(double x) {
  // CHECK-DAG: local-annotations.c:[[@LINE+1]]:{{[0-9]+}}: error: the annotation 'enzyme_inactive' of a local variable or parameter says nothing; annotate a function or a global variable; {{.*}} [IZ115]
  __attribute__((annotate("enzyme_inactive"))) double y = x;
  __attribute__((annotate("mine"))) double z = x;
  return y * z;
}
// CHECK-DAG: local-annotations.c:[[@LINE+1]]:{{[0-9]+}}: error: the annotation 'enzyme_inactive' of a local variable or parameter says nothing; {{.*}} [IZ115]
double parameter(double x, __attribute__((annotate("enzyme_inactive"))) double y) { return x * y; }
struct Ball { double x; __attribute__((annotate("enzyme_inactive"))) double mass; };
// CHECK-DAG: local-annotations.c:[[@LINE+1]]:{{[0-9]+}}: error: the annotation 'enzyme_inactive' of a member says nothing; {{.*}} [IZ115]
double member(struct Ball *b) { return b->x * b->mass; }
double use(double x) { return __enzyme_autodiff(local, x); }
