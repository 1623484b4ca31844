// C++: more blocks than one batch of the list of releases takes, and just as many: all are released
// when the gradient is there, each once, with the shadows.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

static long Live;
void *operator new(size_t Bytes) {
  Live++;
  return malloc(Bytes);
}
void operator delete(void *Block) noexcept {
  Live -= Block != nullptr;
  free(Block);
}
void operator delete(void *Block, size_t) noexcept { operator delete(Block); }

struct Node {
  double Value;
  Node *Next;
};
double list(const double *x, int n) {
  Node *First = nullptr;
  for (int i = 0; i < n; i++)
    First = new Node{x[i % 3] * x[(i + 1) % 3], First};
  double sum = 0;
  for (Node *N = First; N;) {
    sum += N->Value * N->Value * x[0];
    Node *Next = N->Next;
    delete N;
    N = Next;
  }
  return sum;
}
// Four small locals in each activation, which share a block of the tape.
struct Pair {
  double *Values;
  int Count;
};
static void halve(Pair &P) {
  if (P.Count == 1) {
    P.Values[0] *= P.Values[0];
    return;
  }
  int Half = P.Count / 2;
  Pair Even{new double(0), Half}, Odd{new double(0), P.Count - Half};
  *Even.Values = P.Values[0] * .5;
  *Odd.Values = P.Values[0] * .8;
  halve(Even);
  halve(Odd);
  P.Values[0] = *Even.Values * .3 + sin(*Odd.Values);
  delete Even.Values;
  delete Odd.Values;
}
double tree(const double *x, int n) {
  double Value = x[0] * x[1] + x[2];
  Pair P{&Value, n};
  halve(P);
  return Value * x[1];
}

#define TEST(F, N)                                                                                 \
  do {                                                                                             \
    CHECK_FUNCTION(F, 3, x, t, N);                                                                 \
    CHECK(#F " leaves blocks", Live, 0);                                                           \
  } while (0)

int main() {
  double x[3] = {.7, -.4, 1.2}, t[3] = {1, .3, -.6};
  TEST(list, 15); // Two releases for each block.
  TEST(list, 16);
  TEST(list, 31);
  TEST(list, 32);
  TEST(list, 100);
  TEST(tree, 1);
  TEST(tree, 20);
  return finish();
}
