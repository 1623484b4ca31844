// Libraries that compute out of sight are named, with what works instead; nothing suggests to mark their functions
// inactive, and a function that starts threads is not inactive even if it is marked so.
// RUN: not %clang -O1 -g -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: 
// RUN: not %clang -O0 -g -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: 
#include <pthread.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

int MPI_Allreduce(const void *, void *, int, int, int, int);
double cblas_ddot(int, const double *, int, const double *, int);
void dgemv_(char *, int *, int *, double *, double *, int *, double *, int *, double *, double *, int *);
void dpotrf_(char *, int *, double *, int *, int *);
void dgesture_(double *);
void _FortranABesselJn_16(void *, const void *, int, const char *, int);
int cudaMemcpyPeer(void *, const void *, unsigned long, int);

double loop(const double *x, int n) {
  double sum = 0;
// CHECK: error: '__kmpc_fork_call' belongs to the run time of OpenMP, which Isozyme does not differentiate; compile this file without -fopenmp, {{.*}} [IZ201]
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
void *square(void *x) {
  *(double *)x *= *(double *)x;
  return 0;
}
double thread(const double *x, int n) {
  double y = *x;
  pthread_t t;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: 'pthread_create' belongs to the library of threads, which Isozyme does not differentiate, and to mark it inactive would lose the derivative of all that it runs; compute in the calling thread {{.*}} [IZ201]
  pthread_create(&t, 0, square, &y);
  pthread_join(t, 0);
  return y;
}
void *__enzyme_inactivefn_threads = (void *)pthread_create;

double exchange(const double *x, int n) {
  double mine = *x * *x, all;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: 'MPI_Allreduce' belongs to MPI, {{.*}}; differentiate what each process computes, {{.*}} [IZ201]
  MPI_Allreduce(&mine, &all, 1, 0, 0, 0);
  return all;
}
// CHECK: runtimes.c:[[@LINE+1]]:54: error: 'cblas_ddot' belongs to BLAS, {{.*}}; write it as loops {{.*}} [IZ201]
double inner(const double *x, int n) { return x[0] * cblas_ddot(n, x, 1, x, 1); }
double product(const double *x, int n) {
  double y[4] = {0}, one = 1, a[16] = {1};
  int step = 1;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: 'dgemv_' belongs to BLAS, {{.*}} [IZ201]
  dgemv_("N", &n, &n, &one, a, &n, (double *)x, &step, &one, y, &step);
  return y[0];
}
double factor(double *x, int n) {
  int info;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: 'dpotrf_' belongs to LAPACK, {{.*}}; register the derivative of the solve {{.*}} [IZ201]
  dpotrf_("L", &n, x, &n, &info);
  return x[0];
}
double norm(const double *x, int n) {
  double result;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: '_FortranABesselJn_16' belongs to the run time of flang, {{.*}}; compile with -O1 or higher, {{.*}} [IZ201]
  _FortranABesselJn_16(&result, x, 0, "", 0);
  return result;
}
double device(const double *x, int n) {
  double y;
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: 'cudaMemcpyPeer' belongs to the run time of a GPU, {{.*}} [IZ201]
  cudaMemcpyPeer(&y, x, 8, 1);
  return y;
}
double others(double *x, int n) {
  // CHECK: runtimes.c:[[@LINE+1]]:3: error: no derivative is known for 'dgesture_', which has no body here; define it in this file{{.*}}, or, if nothing that it computes has a part in the result, mark it inactive {{.*}} [IZ201]
  dgesture_(x);
  return x[0];
}
void derivatives(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)loop, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)thread, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)exchange, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)inner, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)product, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)factor, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)device, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)others, enzyme_dup, x, dx, n);
}
