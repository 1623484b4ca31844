// A record of a float and an integer, with whose bits something is computed as with one integer: the float has no
// derivative there, and to lose it in silence would be wrong.
// RUN: not %clang -O1 -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>
#include <stdint.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);

typedef struct {
  float x;
  int n;
} Item;

// CHECK-DAG: error: the bits of a differentiated float pass through integer arithmetic, with those of an integer beside it; compute on each member by itself [IZ202]
__attribute__((noinline)) float counted(const Item *from, Item *to) {
  uint64_t word;
  memcpy(&word, from, 8);
  word += (uint64_t)1 << 32;
  memcpy(to, &word, 8);
  return to->x * to->n;
}
void derive(const Item *a, Item *da, Item *b, Item *db) {
  __enzyme_autodiff((void *)counted, enzyme_dup, a, da, enzyme_dup, b, db);
}
