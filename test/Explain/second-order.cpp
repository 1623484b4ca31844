// What isozyme::hessian puts around a function, to differentiate its gradient again, is not told: the two derivatives
// are those of the user's function.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s -- -std=c++20 -I%source/include > %t.txt
// RUN: FileCheck %s --implicit-check-not='of {{.}}call' --implicit-check-not=thunk --implicit-check-not='arguments' \
// RUN:   --implicit-check-not=enzyme: --implicit-check-not=isozyme. --implicit-check-not=llvm. < %t.txt
#include <isozyme/isozyme.hpp>

double second() {
  auto bend = [](const std::array<double, 2> &at) { return at[0] * at[0] * at[1]; };
  return isozyme::hessian(bend)(std::array<double, 2>{1, 2})(0, 1);
}
double along(const std::vector<double> &at) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < at.size(); i++)
    sum += at[i] * __builtin_sin(at[i + 1]);
  return sum;
}
double kept(const std::vector<double> &at) { return isozyme::hessian(along)(at)(0, 1); }

// CHECK: reverse of 'bend', by at
// CHECK-NEXT: Asked for by a header of Isozyme, which differentiates the derivative again
// CHECK: reverse: at.shadow[1] += seed * at[0] * at[0]
// CHECK: forward of 'bend', by at and
// CHECK-NEXT: Asked for in 'second', second-order.cpp:12
// CHECK: reverse of 'along', by at
// CHECK-NOT: this:
// CHECK: where: t{{[0-9]+}} = tape[8 * at.size() - 8 bytes]
