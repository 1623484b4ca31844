// Tangents beside the source; nothing is kept.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include <math.h>
double __enzyme_fwddiff(void *, ...);
double wave(double t, double w) {
  double s = sin(w * t);
  return t > 0 ? s * s : w;
}
double slope(double t, double w) { return __enzyme_fwddiff((void *)wave, t, 1.0, w, 0.0); }

// CHECK: forward of 'wave'
// CHECK: t: active: its tangent is passed with it
// CHECK: double s = sin
// CHECK-NEXT: forward: s.tan = ({{t.tan \* w \+ w.tan \* t|w.tan \* t \+ t.tan \* w}}) * cos({{w \* t|t \* w}})
// CHECK-NEXT: return t > 0
// CHECK-NEXT: forward: return (t > 0) ? 2 * s.tan * s : w.tan
// CHECK-NOT: Tape
