// Defensive C: assertions, errno, status codes through layers, cleanup by goto, messages on failure.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <assert.h>
#include <errno.h>

#define TRY(CALL)                                                                                  \
  do {                                                                                             \
    status = (CALL);                                                                               \
    if (status != OK)                                                                              \
      goto fail;                                                                                   \
  } while (0)

typedef enum { OK, BAD_ARGUMENT, NO_MEMORY, NOT_CONVERGED } status_t;

static const char *describe(status_t s) {
  static const char *const texts[] = {"ok", "bad argument", "no memory", "not converged"};
  assert((unsigned)s < sizeof texts / sizeof *texts);
  return texts[s];
}
static status_t allocate(double **out, int n) {
  assert(out != NULL);
  if (n <= 0)
    return BAD_ARGUMENT;
  *out = calloc(n, sizeof **out);
  return *out ? OK : NO_MEMORY;
}
static status_t logOf(double x, double *out) {
  errno = 0;
  *out = log(x);
  if (errno != 0 || !isfinite(*out))
    return BAD_ARGUMENT;
  return OK;
}
static status_t fixedPoint(double c, double *x) {
  for (int i = 0; i < 200; i++) {
    double next = cos(*x) * c;
    if (fabs(next - *x) < 1e-15) {
      *x = next;
      return OK;
    }
    *x = next;
  }
  return NOT_CONVERGED;
}

/* Returns a status; *result is set where it is OK, and message always. */
status_t process(const double *values, int n, double *result, char message[64]) {
  status_t status = OK;
  double *logs = NULL, *points = NULL;
  TRY(allocate(&logs, n));
  TRY(allocate(&points, n));
  for (int i = 0; i < n; i++) {
    TRY(logOf(values[i], &logs[i]));
    points[i] = logs[i];
    TRY(fixedPoint(0.5 + 0.1 * values[i], &points[i]));
  }
  *result = 0;
  for (int i = 0; i < n; i++) {
    assert(isfinite(points[i]) && "a point is lost");
    *result += logs[i] * points[n - 1 - i];
  }
fail:
  snprintf(message, 64, "%s after %d values", describe(status), n);
  free(logs);
  free(points);
  return status;
}

enum { N = 5 };
static double valueOf(const double *x, char *message) {
  double result = 0;
  process(x, N, &result, message);
  return result;
}

int main(void) {
  double x[N], t[N], d[N] = {0}, result = 0, seed = 1, tangent = 0;
  char message[64], ignored[64];
  fill(x, N, 17, 0.5, 2);
  fill(t, N, 18, -1, 1);
  __enzyme_autodiff((void *)process, x, d, N, &result, &seed, enzyme_const, message);
  if (strcmp(message, "ok after 5 values"))
    failures++;
  CHECK_SLOPES("x", N, x, d, valueOf(x, ignored));
  __enzyme_fwddiff((void *)process, x, t, N, &result, &tangent, enzyme_const, message);
  CHECK_FORWARD("process", tangent, N, t, d);

  double bad[N] = {1, 2, -1, 1, 1}, none[N] = {0}, kept = 1;
  __enzyme_autodiff((void *)process, bad, none, N, &result, &kept, enzyme_const, message);
  if (strcmp(message, "bad argument after 5 values"))
    failures++;
  for (int i = 0; i < N; i++) /* nothing was computed: nothing flows back */
    CHECK_AT("bad", i, none[i], 0);
  CHECK("kept", kept, 1);
  return finish();
}
