// Records of a float and an integer that are moved as one word, whose bits are used for more: compared, hashed, or for
// the integer alone. The float is moved along.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdint.h>

typedef struct {
  float x;
  int n;
} Item;

#define MOVED(NAME, RESULT)                                                                        \
  __attribute__((noinline)) float NAME(const Item *from, Item *to) {                               \
    uint64_t word;                                                                                 \
    memcpy(&word, from, 8);                                                                        \
    memcpy(to, &word, 8);                                                                          \
    return RESULT;                                                                                 \
  }
MOVED(plain, to->x * from->n)
MOVED(compared, word ? to->x * from->n : 1)
MOVED(upper, to->x * (from->n + (int)(word >> 32)))
MOVED(shifted, to->x * ((word >> 33) & 7))
MOVED(asShort, to->x * (short)(word >> 32))
MOVED(hashed, to->x * (word * 0x9e3779b97f4a7c15u >> 60))

int main(void) {
#define TEST(F)                                                                                    \
  {                                                                                                \
    Item a = {2, 3}, b = {0, 0}, da = {0, 0}, db = {0, 0};                                         \
    float value = F(&a, &b);                                                                       \
    __enzyme_autodiff((void *)F, enzyme_dup, &a, &da, enzyme_dup, &b, &db);                        \
    CHECK_FLOAT(#F, da.x, value / 2);                                                              \
  }
  TEST(plain)
  TEST(compared)
  TEST(upper)
  TEST(shifted)
  TEST(asShort)
  TEST(hashed)
  return finish();
}
