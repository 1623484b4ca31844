// The same as data. Why a value is active is told step by step, up to an argument.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=%t.json,%t.txt
// RUN: %python -m json.tool %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
#include <math.h>
double __enzyme_autodiff(void *, ...);
double f(double x, double c) {
  double a = x * c;
  double b = exp(a);
  double log10c = 3 * c;
  return b * log10c;
}
double g(double x, double c) {
  extern int enzyme_const;
  return __enzyme_autodiff((void *)f, x, enzyme_const, c);
}
// TEXT: reverse of 'f'
// CHECK: "version": 1
// CHECK: "function": "f"
// CHECK: "mode": "reverse"
// CHECK: "level": "-O2"
// CHECK: "askedBy": "Asked for in 'g'"
// CHECK: "complete": true
// CHECK: "activity": "active"
// CHECK: "activity": "const"
// CHECK: "kept": 0
// CHECK: "tapeTotal": "0"
// CHECK: "line": 9
// CHECK: "source": "  double b = exp(a);"
// CHECK: "kind": "active"
// CHECK: "name": "b"
// CHECK: "active": true
// CHECK: "why": "depends on argument 1 (x) of 'f', which is differentiated, by way of 'a'"
// CHECK: "'b' (line 9) is computed from 'a' (line 8)"
// CHECK-NEXT: "'a' (line 8) is computed from 'x'"
// CHECK-NEXT: "'x' is argument 1, which is differentiated"
// CHECK: "reverse": "at hand"
// CHECK: "derivative": [
// CHECK-NEXT: "a.adj += b.adj * b"
// CHECK: "code": [
// CHECK: fmul
// CHECK: "source": "  double log10c = 3 * c;"
// CHECK-NEXT: "kind": "inactive"
// CHECK-NEXT: "whyInactive": "does not depend on what is differentiated"
