// The memory of threads for tapes under ThreadSanitizer, the run time's own code instrumented: blocks
// that are pushed and popped in any order, marks of derivatives that never end, threads that end with
// blocks in use, and gradients beside them.
// UNSUPPORTED: memcheck-asan, memcheck-valgrind, memcheck-msan
// RUN: %clang -O1 -g -fsanitize=thread -pthread %s %source/lib/Emit/Runtime/tape.c -o %t
// RUN: env TSAN_OPTIONS=halt_on_error=1 %t
// RUN: env TSAN_OPTIONS=halt_on_error=1 ISOZYME_TAPE_MEMORY=malloc %t
#include "isozyme/isozyme.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *push(unsigned long) __asm__("isozyme.tape.push");
void pop(void *) __asm__("isozyme.tape.pop");
void *enter(void *) __asm__("isozyme.tape.enter");
void leave(void *) __asm__("isozyme.tape.leave");
double __enzyme_autodiff(void *, ...);

double iterate(double x, long n) {
  for (long i = 0; i < n; i++)
    x += 1e-4 * x * (1 - x);
  return x;
}
static double slopeByHand(double x, long n) {
  double d = 1;
  for (long i = 0; i < n; i++) {
    d *= 1 + 1e-4 * (1 - 2 * x);
    x += 1e-4 * x * (1 - x);
  }
  return d;
}

enum { Threads = 4, Slots = 40, Rounds = 3000 };

static int holds(const unsigned char *block, unsigned size, unsigned char what) {
  for (unsigned i = 0; i < size; i++)
    if (block[i] != what)
      return 0;
  return 1;
}

static void *work(void *of) {
  unsigned long wrong = 0, state = 12345 + (unsigned long)of;
  unsigned char *blocks[Slots] = {0};
  unsigned sizes[Slots];
  for (int round = 0; round < Rounds; round++) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    unsigned k = state >> 33, slot = k % Slots;
    unsigned char what = (unsigned char)(slot + (unsigned long)of * 50);
    if (blocks[slot]) {
      wrong += !holds(blocks[slot], sizes[slot], what);
      pop(blocks[slot]);
      blocks[slot] = NULL;
    } else {
      sizes[slot] = k % 11 == 0 ? 100000 + k % 7000 : k % 3000;
      blocks[slot] = push(sizes[slot]);
      memset(blocks[slot], what, sizes[slot]);
    }
    if (round % 100 == 0) {
      int frame;
      void *mark = enter(&frame);
      double x = 0.3 + 0.1 * (double)(unsigned long)of;
      double ratio = __enzyme_autodiff((void *)iterate, enzyme_out, x, enzyme_const, 9000l) /
                     slopeByHand(x, 9000);
      wrong += !(ratio > 1 - 1e-9 && ratio < 1 + 1e-9);
      leave(mark);
    }
  }
  for (int slot = 0; slot < Slots / 2; slot++) // The others are the thread's to give back.
    pop(blocks[slot]);
  return (void *)wrong;
}

int main(void) {
  pthread_t threads[Threads];
  unsigned long wrong = 0;
  for (unsigned long t = 0; t < Threads; t++)
    if (pthread_create(&threads[t], NULL, work, (void *)t))
      return 2;
  for (int t = 0; t < Threads; t++) {
    void *result;
    pthread_join(threads[t], &result);
    wrong += (unsigned long)result;
  }
  if (wrong)
    printf("%lu blocks or slopes are wrong\n", wrong);
  return wrong != 0;
}
