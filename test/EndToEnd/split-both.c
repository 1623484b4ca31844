// Forward mode from a tape and reverse mode of the same function in one file: each first half
// makes the tape of the second half that gets it.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

typedef struct { void *tape; double value; } Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_tape(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double __enzyme_reverse(void *, ...);
__attribute__((noinline)) double f(double *p, double x) { double v = *p; *p = 0; return sin(v) * x; }
static void *kept;
int main(void) {
  double p = 0.3, d = 1, x = 2;
  void *tape = __enzyme_augmentfwd_tape((void*)f, enzyme_noret, &p, &d, x);
  CHECK("forward", __enzyme_fwdsplit((void*)f, &p, &d, x, 0.0, tape), cos(0.3)*2);
  p = 0.3; d = 0;
  tape = __enzyme_augmentfwd_tape((void*)f, enzyme_noret, &p, &d, x);
  CHECK("reverse x", __enzyme_reverse((void*)f, &p, &d, x, 1.0, tape), sin(0.3));
  CHECK("reverse p", d, cos(0.3)*2);
  p = 0.3; d = 0;
  Augmented a = __enzyme_augmentfwd((void*)f, &p, &d, x);
  CHECK("value", a.value, sin(0.3)*2);
  d = 1;
  CHECK("forward", __enzyme_fwdsplit((void*)f, &p, &d, x, 0.0, a.tape), cos(0.3)*2);
  // This one goes out of sight, but all of forward mode have theirs.
  p = 0.3;
  kept = __enzyme_augmentfwd_tape((void*)f, enzyme_noret, &p, &d, x);
  CHECK("kept", __enzyme_reverse((void*)f, &p, &d, x, 1.0, kept), sin(0.3));
  return finish();
}
