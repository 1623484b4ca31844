// Loops entered in the middle (Duff's device), a state machine with goto, and do/while/switch mixtures.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

double duff(const double *x, const double *y, int count) {
  double sum = 0, last = 1;
  int n = (count + 3) / 4;
  if (count <= 0)
    return 0;
  switch (count % 4) {
  case 0:
    do {
      last = *x++ * *y++ * last + 0.5;
      sum += last;
    case 3:
      last = *x++ + *y++ * last;
      sum += last;
    case 2:
      last = *x++ * *y++ - last;
      sum += 2 * last;
    case 1:
      last = sin(*x++ * last) + *y++;
      sum -= last;
    } while (--n > 0);
  }
  return sum * last;
}

/* Parses runs of +, - and digits; each token changes the sum in its way. */
double machine(const char *text, const double *weights) {
  double sum = 0, sign = 1, number = 0;
  int length = 0;
start:
  switch (*text) {
  case '\0':
    return sum;
  case '-':
    sign = -sign;
    text++;
    goto start;
  case '+':
    text++;
    goto start;
  default:
    if (*text < '0' || *text > '9')
      goto error;
  }
  number = 0;
  length = 0;
digits:
  number = number * weights[1] + (*text - '0') * weights[2];
  length++;
  if (*++text >= '0' && *text <= '9')
    goto digits;
  sum += sign * number * pow(weights[0], length);
  sign = 1;
  if (*text == 'e') {
    sum *= weights[3];
    text++;
    if (*text >= '0' && *text <= '9')
      goto digits; /* into the inner loop from outside */
  }
  goto start;
error:
  if (*text == ' ') {
    text++;
    sum += 0.1 * weights[0] * sum;
    goto start;
  }
  return -sum;
}

enum { N = 13 };

int main(void) {
  double x[N], y[N], t[2 * N], d[2 * N];
  fill(x, N, 10, -1, 1);
  fill(y, N, 11, -1, 1);
  fill(t, 2 * N, 12, -1, 1);
  for (int n = N - 4; n <= N; n++) {
    memset(d, 0, sizeof d);
    __enzyme_autodiff((void *)duff, x, d, y, d + N, n);
    CHECK_SLOPES("x", N, x, d, duff(x, y, n));
    CHECK_SLOPES("y", N, y, d + N, duff(x, y, n));
    CHECK_FORWARD("duff", __enzyme_fwddiff((void *)duff, x, t, y, t + N, n), 2 * N, t, d);
  }
  static const char *const texts[] = {"12+3-45", "-7e31 2-4e5e6", "", "9--9 x1", "1 2 3e"};
  double w[4] = {1.1, 2.3, 0.7, 0.9};
  for (int i = 0; i < 5; i++) {
    double dw[4] = {0};
    __enzyme_autodiff((void *)machine, enzyme_const, texts[i], w, dw);
    CHECK_SLOPES("weight", 4, w, dw, machine(texts[i], w));
    CHECK_FORWARD("machine", __enzyme_fwddiff((void *)machine, enzyme_const, texts[i], w, t), 4, t,
                  dw);
  }
  return finish();
}
