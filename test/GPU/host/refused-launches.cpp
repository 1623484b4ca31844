// What is wrong with a registration for a kernel is said in words of the source; so is a launch without one.
// RUN: not %preload%clangxx_bin -x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.9 -O1 -I%S/../Inputs -fpass-plugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s
#include "host-runtime.h"

// A kernel returns no gradient of a number.
__global__ void scale(const double *x, double *y, double by) {}
__global__ void scaleReverse(const double *x, double *dx, double *y, double *dy, double by) {}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale, (void *)scaleReverse};
void byFactor(const double *x, double *y, double by) { scale<<<1, 32>>>(x, y, by); }
// CHECK-DAG: error: 'scaleReverse(double const*, double*, double*, double*, double)' is registered for the derivative of 'scale(double const*, double*, double)', but parameter 3 is a number that takes part, and a kernel returns no gradient of it; register a function of the host

// A shadow is missing.
__global__ void twice(const double *x, double *y) {}
__global__ void twiceReverse(const double *x, double *dx, double *y) {}
void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)twice, (void *)twiceReverse};
void doubled(const double *x, double *y) { twice<<<1, 32>>>(x, y); }
// CHECK-DAG: error: 'twiceReverse(double const*, double*, double*)' is registered for the derivative of 'twice(double const*, double*)', but parameter 4 of it should be the shadow of parameter 2 of the function

// Nothing is registered.
__global__ void unknown(const double *x, double *y) {}
void launched(const double *x, double *y) { unknown<<<1, 32>>>(x, y); }
// CHECK-DAG: 21:6: error: 'cudaLaunchKernel' belongs to the run time of a GPU, which Isozyme does not differentiate; register the derivative of the kernel that is launched

// The program launches the kernel by a call of its own.
__global__ void named(const double *x, double *y) {}
__global__ void namedReverse(const double *x, double *dx, double *y, double *dy) {}
void *__enzyme_register_gradient_named[] = {(void *)named, (void *)named, (void *)namedReverse};
void byItself(const double *x, double *y) {
  void *arguments[] = {&x, &y};
  cudaLaunchKernel((const void *)named, 1, 32, arguments, 0, nullptr);
}
// CHECK-DAG: 28:6: error: 'cudaLaunchKernel' belongs to the run time of a GPU, which Isozyme does not differentiate; register the derivative of the kernel that is launched

double all(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff<void>((void *)doubled, enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff<void>((void *)launched, enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff<void>((void *)byItself, enzyme_dup, x, dx, enzyme_dup, y, dy);
  return __enzyme_autodiff<double>((void *)byFactor, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_out, 2.0);
}
