// A handler that continues inside the derivative, and variable arguments, are errors; handlers that clean up are not.
// RUN: not %clangxx -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double check(double x);

// CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this call may throw into a handler of the same function; {{.*}} [IZ206]
double guarded(double x) { try { return check(x); } catch (int) { return x * x; } }
double d206(double x) { return __enzyme_autodiff((void *)guarded, x); }

// Names are those of the source, not of the linker; long ones without what makes them long.
namespace sensors { template <class T> struct Reading { T value; Reading<T> read(double, Reading<Reading<Reading<T>>> *, T); }; double plain(double); }
// CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no derivative is known for 'sensors::plain(double)', which has no body here; {{.*}}register its derivative (__enzyme_register_gradient_...), {{.*}} [IZ201]
double uses(double x) { return sensors::plain(x); }
// CHECK: argument 1 (x) of 'uses(double)', which is differentiated
double d201(double x) { return __enzyme_autodiff((void *)uses, x); }
// CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no derivative is known for 'sensors::Reading<...>::read(...)', which has no body here; {{.*}} [IZ201]
double usesLong(double x) { sensors::Reading<double> r{x}; return r.read(x, nullptr, x).value; }
double d201long(double x) { return __enzyme_autodiff((void *)usesLong, x); }
// CHECK: 3 errors generated.
