// A workspace of one block: a header, numbers that steer, and arrays of pairs, walked in steps of
// three and of four pairs. What is copied into it comes from a buffer of which all writes are seen.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-fno-strict-aliasing %s
#include "../EndToEnd/check.h"

typedef struct {
  double r, i;
} pair;
struct inner {
  int n, order[4];
  pair scale[1];
};
struct plan {
  struct inner *in;
  pair *work, *weights;
};

static struct plan *make(int n) {
  size_t size = sizeof(struct inner) + sizeof(pair) * (n - 1);
  struct plan *p = malloc(sizeof(struct plan) + size + sizeof(pair) * (3 * n / 2));
  p->in = (struct inner *)(p + 1);
  p->work = (pair *)((char *)p->in + size);
  p->weights = p->work + n;
  p->in->n = n;
  for (int i = 0; i < 4; ++i)
    p->in->order[i] = (3 * i + 1) % n;
  for (int i = 0; i < n; ++i) {
    p->in->scale[i].r = 1 + 0.25 * i;
    p->in->scale[i].i = 2 - 0.5 * i;
  }
  for (int i = 0; i < n / 2; ++i) {
    p->weights[i].r = cos(i + 1);
    p->weights[i].i = cos(i + 2);
  }
  return p;
}

__attribute__((noinline)) static void mix(pair *out, const pair *in, const struct inner *s) {
  for (int i = 0; i < s->n; ++i)
    out[i] = in[(i + s->order[i % 4]) % s->n];
  if (s->n % 3 == 0) {
    const pair *w = s->scale;
    for (int i = 0; i < s->n / 3; ++i, w += 3)
      out[i].r += sin(out[i].i) * w->r;
  } else {
    const pair *w = s->scale;
    for (int i = 0; i < s->n / 4; ++i, w += 4)
      out[i].i += sin(out[i].r) * w->i;
  }
}

__attribute__((noinline)) static void transform(struct plan *p, const double *x, double *y) {
  int n = p->in->n;
  const pair *in = (const pair *)x;
  if (in == p->work) {
    pair *buffer = malloc(sizeof(pair) * n);
    mix(buffer, in, p->in);
    memcpy(p->work, buffer, sizeof(pair) * n);
    free(buffer);
  } else
    mix(p->work, in, p->in);
  for (int i = 0; i < n; ++i)
    y[i] = p->work[i].r * p->work[n - 1 - i].i * p->weights[i % (n / 2)].r;
}

static double f(const double *x) {
  double y[6], sum = 0;
  struct plan *p = make(6);
  transform(p, x, y);
  for (int i = 0; i < 6; ++i)
    sum += y[i] * y[i];
  transform(p, (const double *)p->work, y); // In place: by way of the buffer.
  free(p);
  for (int i = 0; i < 6; ++i)
    sum += (i + 1) * y[i];
  return sum;
}

int main(void) {
  double x[12] = {0.3, -0.2, 0.8, 0.5, 1.1, -0.6, 0.7, -0.4, 0.2, 0.9, -0.1, 1.3}, dx[12] = {0};
  double t[12] = {1, -1, 0.5, 0.25, 2, 0, 1, -0.5, 0.75, -2, 1, 0.5};
  __enzyme_autodiff((void *)f, x, dx);
  CHECK_SLOPES("x", 12, x, dx, f(x));
  CHECK_FORWARD("f", __enzyme_fwddiff((void *)f, x, t), 12, t, dx);
  return finish();
}
