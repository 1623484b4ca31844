// Operations on integers that the compiler knows by name, on the bits of floats that take part: what they make has no
// derivative, and to lose it in silence would be wrong. So has the larger of two words of a float and an integer.
// RUN: not %clang -O1 -DOP=1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -DOP=2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O1 -DOP=1 -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -DOP=3 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WORD %s
#include <isozyme/isozyme.h>
#include <stdint.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  float x;
  int n;
} Item;

double made(double *x, Item *items) {
  double product = x[0] * x[1], result;
  uint64_t word;
  memcpy(&word, &product, 8);
  // CHECK: error: the bits of a differentiated float pass through integer arithmetic ('llvm.{{abs|usub.sat}}.i64'); compute on the float itself [IZ202]
  // WORD: error: what is moved here may be a differentiated float, or else an address or an integer
#if OP == 1
  word = (uint64_t)__builtin_llabs((long long)word);
#elif OP == 2
  word = __builtin_elementwise_sub_sat(word, (uint64_t)4);
#else
  uint64_t first, second, larger;
  items[1].x = x[0];
  memcpy(&first, items, 8);
  memcpy(&second, items + 1, 8);
  larger = first > second ? first : second;
  Item best;
  memcpy(&best, &larger, 8);
  return best.x;
#endif
  memcpy(&result, &word, 8);
  return result;
}
#ifdef FORWARD
double derive(double *x, double *dx, Item *i, Item *di) {
  return __enzyme_fwddiff((void *)made, enzyme_dup, x, dx, enzyme_dup, i, di);
}
#else
void derive(double *x, double *dx, Item *i, Item *di) {
  __enzyme_autodiff((void *)made, enzyme_dup, x, dx, enzyme_dup, i, di);
}
#endif
