// A variable of the program that happens to be called `shadow` is checked like any other; and a
// C program needs no library for checks.
// RUN: %clang -O1 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);

typedef struct node {
  double v;
  struct node *next;
} Node;
__attribute__((noinline)) static double squares(const Node *n) {
  double sum = 0;
  for (; n; n = n->next)
    sum += n->v * n->v;
  return sum;
}

int main(void) {
  Node second = {2, 0}, first = {1, &second};
  static Node shadow;
  shadow.next = &second; // Not a shadow of it.
  __enzyme_autodiff((void *)squares, &first, &shadow);
  // CHECK: named-shadow.c:[[#@LINE-1]]:{{.*}} the derivative of 'squares' changes memory that the function does not
  // CHECK: 1 call checked, 1 wrong
  return 0;
}
