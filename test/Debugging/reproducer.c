// What Isozyme fails on is kept in a file with the functions that matter, with a script that repeats
// the failure: after an error that is named, after a crash; and removed when all went well.
// UNSUPPORTED: sanitizers
// (The script runs opt without their runtime.)
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %clang -O1 -g -mllvm -isozyme-reproducer=kept -mllvm -isozyme-reproducer-for=IZ201 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: FileCheck --check-prefix=FILE %s < kept/f.ll
// RUN: not ls kept/square.ll
// RUN: env ISOZYME_PLUGIN=%plugin not sh kept/f.sh 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: env ISOZYME_PLUGIN=%plugin sh kept/f.sh kept/f.ll
// RUN: env -u ISOZYME_PLUGIN PATH=/usr/bin:/bin not sh kept/f.sh 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: env ISOZYME_PLUGIN=/gone PATH=/usr/bin:/bin not sh kept/f.sh 2>&1 | FileCheck --check-prefix=UNSET %s
// RUN: not %clang -O1 -mllvm -isozyme-reproducer=/dev/null/kept -mllvm -isozyme-reproducer-for=IZ201 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=UNWRITTEN %s
// RUN: not %clang -fno-crash-diagnostics -O1 -g -mllvm -isozyme-reproducer=crashed -mllvm -isozyme-abort-on=IZ201 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=CRASH %s
// RUN: env ISOZYME_PLUGIN=%plugin sh crashed/f.sh crashed/f.ll
// RUN: %clang -O1 -DGOOD -mllvm -isozyme-reproducer=good -c %s -o /dev/null
// RUN: ls good | count 0
double __enzyme_autodiff(void *, ...);

double unknown(double);
#ifdef GOOD
#define unknown(x) (x)
#endif
double square(double x) { return x * x; }
static double inner(double x) { return unknown(x) + 1; }
double f(double x) { return inner(x) * x; }
double elsewhere(double x) { return square(x) + 7; }

double both(double x) {
  return __enzyme_autodiff((void *)square, x) + elsewhere(x) + __enzyme_autodiff((void *)f, x);
}

// UNSET: set ISOZYME_PLUGIN to the path of Isozyme.so
// UNWRITTEN: nothing could be written to '/dev/null/kept'

// ERROR: reproducer.c:25:40: error: no derivative is known for 'unknown'{{.*}}[IZ201]
// ERROR: reproducer.c:26:29: note: called here, in 'f'
// ERROR: note: what Isozyme failed on is in 'kept/f.ll', and 'kept/f.sh' repeats it

// FILE-NOT: define {{.*}}@square
// FILE-NOT: define {{.*}}@elsewhere
// FILE-DAG: define {{.*}}@f(
// FILE-DAG: call {{.*}}@__enzyme_autodiff(ptr {{.*}}@f
// FILE-NOT: define {{.*}}@elsewhere

// AGAIN: error: {{.*}}no derivative is known for 'unknown'

// CRASH: Isozyme was at work on a derivative: its input is in 'crashed/f.ll', and 'crashed/f.sh' repeats what happened
