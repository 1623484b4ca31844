// Counts in front of a flexible array, and an array of counts behind arrays of numbers: an index may lead from the
// numbers to them, as far as the compiler can tell. They were taken for floats, and computing with them was an error.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define NOINLINE __attribute__((noinline))

enum { N = 4 };

struct image {
  int width, height, stride;
  double pixels[];
};
static struct image *make(int width, int height) {
  struct image *made = calloc(1, sizeof *made + sizeof(double) * (width + 2) * height);
  made->width = width;
  made->height = height;
  made->stride = width + 2;
  return made;
}
/* Outside of the image is its mirror image. */
static double *at(struct image *of, int x, int y) {
  x = x < 0 ? -x : x >= of->width ? 2 * of->width - 2 - x : x;
  y = y < 0 ? -y : y >= of->height ? 2 * of->height - 2 - y : y;
  return &of->pixels[y * of->stride + x];
}
static NOINLINE struct image *blur(struct image *from, const double *weights) {
  struct image *to = make(from->width, from->height);
  for (int y = 0; y < from->height; y++)
    for (int x = 0; x < from->width; x++) {
      double sum = 0;
      for (int k = -1; k <= 1; k++)
        sum += weights[k + 1] * *at(from, x + k, y) * *at(from, x, y + k);
      *at(to, x, y) = sin(sum);
    }
  return to;
}
double blurred(const double *x) {
  struct image *first = make(N, 3);
  for (int i = 0; i < 3 * N; i++)
    *at(first, i % N, i / N) = x[i % N] * (i + 1) / 8;
  struct image *second = blur(first, x), *third = blur(second, x + 1);
  double sum = 0;
  for (int i = 0; i < 3 * N; i++)
    sum += *at(third, i % N, i / N) * (i - 2);
  free(first);
  free(second);
  free(third);
  return sum;
}

struct machine {
  double stack[8];
  int top;
  double memory[N];
  long counts[2];
};
enum { Load, Multiply, Loop, Stop };
static NOINLINE double run(const int *code, struct machine *m) {
  for (int at = 0;;)
    switch (code[at++]) {
    case Load:
      m->stack[m->top++] = m->memory[code[at++]];
      break;
    case Multiply:
      m->top--;
      m->stack[m->top - 1] *= m->stack[m->top];
      break;
    case Loop:
      if (--m->counts[0])
        at = code[at];
      else
        at++;
      break;
    default:
      return m->stack[--m->top];
    }
}
double interpreted(const double *x) {
  static const int code[] = {Load, 0, Load, 1, Multiply, Load, 2, Multiply, Loop, 2, Stop};
  struct machine m = {.counts = {3}};
  memcpy(m.memory, x, sizeof m.memory);
  return run(code, &m);
}

int main(void) {
  double x[N] = {0.7, 1.3, -0.4, 0.9}, t[N] = {1, -0.5, 2, 0.25};
  CHECK_FUNCTION(blurred, N, x, t);
  CHECK_FUNCTION(interpreted, N, x, t);
  return finish();
}
