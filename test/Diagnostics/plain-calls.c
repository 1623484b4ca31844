// Misuse of batches, inactive calls and shadows of functions: one error each, at the call.
// RUN: not %clang -O0 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer, enzyme_dup, enzyme_vektor;
struct two { double a, b; };
struct two __enzyme_batch(void *, ...);
float __enzyme_batch_float(void *, ...);
double __enzyme_call_inactive(void *, ...);
float __enzyme_call_inactive_float(void *, ...);
void *__enzyme_virtualreverse(void *);
int __enzyme_iter();
void __enzyme_double();
int __enzyme_integer_result(void *, int);

double mul(double x, double y) { return x * y; }
void store(double *p) { *p = 1; }

double run(double x, int n, double *p, void *unknown) {
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'enzyme_width' is missing; {{.*}} [IZ108]
  __enzyme_batch(mul, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: the batch needs one 'enzyme_width', with a constant between 1 and 64 after it; {{.*}} [IZ108]
  __enzyme_batch(mul, enzyme_width, n, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: value 2 of 2 of argument 2 ('y') of 'mul' is missing; {{.*}} [IZ104]
  __enzyme_batch(mul, enzyme_width, 2, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'mul' takes 2 arguments, but the call has more values than these need; {{.*}} [IZ105]
  __enzyme_batch(mul, enzyme_width, 2, x, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: a value of argument 2 ('y') of 'mul' is a pointer, but must be 'double'; {{.*}} [IZ109]
  __enzyme_batch(mul, enzyme_width, 2, x, x, enzyme_scalar, p);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'enzyme_buffer' needs the distance between two lanes in bytes; {{.*}} [IZ109]
  __enzyme_batch(store, enzyme_width, 2, enzyme_buffer, enzyme_vector, p);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'enzyme_dup' means nothing to a batch; {{.*}} [IZ111]
  __enzyme_batch(mul, enzyme_width, 2, enzyme_dup, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'enzyme_vektor' is not a known marker; did you mean 'enzyme_vector'? [IZ106]
  __enzyme_batch(mul, enzyme_width, 2, enzyme_vektor, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:7: error: the call is declared to return 'float', but 'mul' returns 'double', 2 times; {{.*}} [IZ110]
  x = __enzyme_batch_float(mul, enzyme_width, 2, x, x, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: it is not known here which function to call in a batch; {{.*}} [IZ101]
  __enzyme_batch(unknown, enzyme_width, 2, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'mul' takes 2 arguments, but the call has values for 1; {{.*}} [IZ104]
  __enzyme_call_inactive(mul, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: argument 3 of the call is a pointer, but argument 2 ('y') of 'mul' must be 'double'; {{.*}} [IZ109]
  __enzyme_call_inactive(mul, x, p);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:8: error: the call is declared to return 'float', but 'mul' returns 'double'; {{.*}} [IZ110]
  x += __enzyme_call_inactive_float(mul, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: 'enzyme_dup' means nothing to an inactive call; {{.*}} [IZ111]
  __enzyme_call_inactive(mul, enzyme_dup, x, x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:8: error: '__enzyme_iter' takes an integer and how much it grows, {{.*}} [IZ104]
  x += __enzyme_iter(n);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:8: error: '__enzyme_iter' takes an integer and how much it grows, {{.*}} [IZ109]
  x += __enzyme_iter(n, 1.0);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: '__enzyme_double' is given 'double', not a pointer; {{.*}} [IZ109]
  __enzyme_double(x);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: '__enzyme_double' is given a number of bytes that is no integer; {{.*}} [IZ109]
  __enzyme_double(p, 8.0);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:3: error: '__enzyme_double' takes a pointer and a number of bytes, but the call has 3 arguments; {{.*}} [IZ105]
  __enzyme_double(p, 8, 8);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:8: error: '__enzyme_integer_result' gives nothing; declare it to return 'void' [IZ110]
  x += __enzyme_integer_result(p, 8);
  // CHECK-DAG: plain-calls.c:[[@LINE+1]]:8: error: '__enzyme_virtualreverse' takes a function or a constant table of functions; {{.*}} [IZ101]
  x += __enzyme_virtualreverse(unknown) != 0;
  return x;
}
