// Misuse of the two halves of a reverse derivative: one error each, at the call.
// RUN: not %clang -O0 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_allocated, enzyme_tape, enzyme_nofree;
extern int enzyme_primal_return, enzyme_byref, enzyme_width;
void *__enzyme_augmentfwd(void *, ...);
float __enzyme_augmentfwd_float(void *, ...);
unsigned long __enzyme_augmentsize(void *, ...);
void *__enzyme_augmentsize_pointer(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwdsplit(void *, ...);

double mul(double x, double y) { return x * y; }
double sum(double x, double y) { return x + y; }
double replayed(double x) { return x * x; }
double ruled(double x) { return x; }
struct two { double a, b; } rule(double x, double dx) { return (struct two){x, dx}; }
void *__enzyme_register_derivative_ruled[] = {(void *)ruled, (void *)rule};
double both(double *p) { return p[0] * p[1]; }
double again(double *p) { return p[0] * p[0]; }

typedef struct {
  double *value, *shadow;
  void *tape;
} Pointers;
typedef struct {
  double *low, *high;
} Ends;
typedef struct {
  Ends value, shadow;
  void *tape;
} Places;
Pointers __enzyme_augmentfwd_pointers(void *, ...);
Places __enzyme_augmentfwd_places(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
double *third(double *p) {
  p[3] *= p[3];
  return p + 3;
}
Ends ends(double *p) {
  p[3] *= p[3];
  return (Ends){p, p + 3};
}

double wrongMembers(double *p, double *dp) {
  // CHECK-DAG: split.c:[[@LINE+1]]:17: error: the first member of a struct of pointers is the tape unless another one is seen to go to '__enzyme_reverse', and the program reads or writes where this member points to; declare the tape as the first member [IZ117]
  Pointers p1 = __enzyme_augmentfwd_pointers(third, p, dp);
  double read = *p1.value;
  // CHECK-DAG: split.c:[[@LINE+1]]:18: error: more than one member of the struct that this call returns is passed on as the tape; {{.*}} [IZ117]
  Pointers two = __enzyme_augmentfwd_pointers(third, p, dp);
  __enzyme_reverse_nothing(third, p, dp, two.tape);
  __enzyme_reverse_nothing(third, p, dp, two.shadow);
  // CHECK-DAG: split.c:[[@LINE+1]]:15: error: pointer 2 of the struct that this call returns is passed on as the tape, and has its place inside the result of 'ends' or its shadow; {{.*}} [IZ117]
  Places in = __enzyme_augmentfwd_places(ends, p, dp);
  __enzyme_reverse_nothing(ends, p, dp, in.value.high);
  return read;
}

double run(double x, void *tape, unsigned long n) {
  char small[8];
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the call lacks the tape; {{.*}} [IZ104]
  __enzyme_reverse(mul, x, enzyme_const, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the tape of 'both' is not empty, but the call passes a null pointer; {{.*}} [IZ117]
  __enzyme_reverse(both, &x, &x, 1.0, (void *)0);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: argument 5 of the call is 'double', not the tape; {{.*}} [IZ117]
  __enzyme_reverse(mul, x, enzyme_const, x, 1.0);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: {{.*}}argument 7 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_reverse(mul, x, enzyme_const, x, 1.0, tape, 1.0);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: argument 5 of the call is a 32-bit integer, but the derivative of the result of 'mul' is 'double'; {{.*}} [IZ118]
  __enzyme_reverse(mul, x, enzyme_const, x, 1, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the seed, passed by 'enzyme_byref', is not 8 bytes of memory; {{.*}} [IZ118]
  __enzyme_reverse(mul, x, enzyme_const, x, enzyme_byref, 4, &x, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the reverse half of 'mul' does not compute its result again; {{.*}} [IZ112]
  __enzyme_reverse(mul, enzyme_primal_return, x, enzyme_const, x, 1.0, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the tape of 'both' needs 16 bytes, but 'enzyme_allocated' says 8; {{.*}} [IZ116]
  __enzyme_augmentfwd(both, enzyme_allocated, 8, enzyme_tape, small, tape, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the tape of 'both' needs 16 bytes, but 'enzyme_allocated' says 8; {{.*}} [IZ116]
  __enzyme_reverse(both, enzyme_allocated, 8, enzyme_tape, small, tape, tape, 1.0);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: no constant number of bytes follows 'enzyme_allocated'; {{.*}} [IZ117]
  __enzyme_augmentfwd(mul, enzyme_allocated, n, enzyme_tape, small, x, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: 'enzyme_allocated' is given twice; {{.*}} [IZ117]
  __enzyme_augmentfwd(mul, enzyme_allocated, 16, enzyme_allocated, 16, x, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: no address follows 'enzyme_tape'; {{.*}} [IZ117]
  __enzyme_augmentfwd(mul, enzyme_tape, 16, x, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: 'enzyme_nofree' is about a tape, and this call leaves none; {{.*}} [IZ111]
  __enzyme_autodiff(mul, enzyme_nofree, x, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: argument 2 of the call is a value; {{.*}} [IZ109]
  __enzyme_augmentsize(mul, x, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: {{.*}}argument 4 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_augmentsize(mul, enzyme_out, enzyme_out, enzyme_out, enzyme_out);
  // CHECK-DAG: split.c:[[@LINE+1]]:10: error: the call is declared to return a pointer, but gives a number of bytes; {{.*}} [IZ110]
  tape = __enzyme_augmentsize_pointer(mul, enzyme_out, enzyme_out);
  // CHECK-DAG: split.c:[[@LINE+1]]:10: error: this file has calls of '__enzyme_fwdsplit' and of '__enzyme_reverse' for 'sum', which need different tapes, and which of them gets this one cannot be seen; {{.*}} [IZ117]
  tape = __enzyme_augmentfwd(sum, x, x);
  __enzyme_fwdsplit(sum, x, 1.0, x, 1.0, tape);
  __enzyme_reverse(sum, x, x, 1.0, tape);
  __enzyme_augmentfwd(both, tape, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: warning: no '__enzyme_augmentfwd' in this file makes the tape that this call reads; one for the same function has other activities [IZ303]
  __enzyme_reverse(both, enzyme_const, tape, 1.0, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the call lacks the tape; {{.*}} [IZ104]
  __enzyme_fwdsplit(replayed, x, 1.0);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the derivative of argument 1 ('x') of 'replayed' is missing; {{.*}} [IZ103]
  __enzyme_fwdsplit(replayed, x);
  // CHECK-DAG: split.c:[[@LINE+1]]:3: error: the tape of 'again' is not empty, but the call passes a null pointer; {{.*}} [IZ117]
  __enzyme_fwdsplit(again, &x, &x, (void *)0);
  // CHECK-DAG: error: 'ruled' has a registered derivative that runs it again, and none from a tape; {{.*}} [IZ201]
  __enzyme_fwdsplit(ruled, x, 1.0, tape);
  // CHECK-DAG: split.c:[[@LINE+1]]:7: error: the call is declared to return 'float', but the derivative returns a struct of a pointer and 'double': the tape, then the result of 'mul'; {{.*}} [IZ110]
  x = __enzyme_augmentfwd_float(mul, x, x);
  return x + (tape != 0);
}
