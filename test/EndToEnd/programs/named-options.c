// A simulation with options looked up by name: strings, formatted text and a log beside the numbers.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdarg.h>

struct option {
  const char *name, *value;
};
struct log {
  char text[512];
  size_t used;
  int lines;
};

static const char *lookup(const struct option *o, const char *name, const char *otherwise) {
  for (; o->name; o++)
    if (strcmp(o->name, name) == 0)
      return o->value;
  return otherwise;
}
static double number(const struct option *o, const char *name, double otherwise) {
  const char *s = lookup(o, name, NULL);
  return s ? atof(s) : otherwise;
}
static void note(struct log *log, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(log->text + log->used, sizeof log->text - log->used, format, arguments);
  va_end(arguments);
  if (length > 0 && log->used + length < sizeof log->text) {
    log->used += length;
    log->lines++;
  }
}

/* A mass on a spring, by the integrator that the options name. */
double simulate(const struct option *options, double k, double mass, struct log *log) {
  const char *method = lookup(options, "method", "euler");
  const double dt = number(options, "dt", 0.1);
  const int steps = (int)number(options, "steps", 20);
  double x = 1, v = 0;
  if (strncmp(lookup(options, "start", ""), "at-rest", 7) != 0)
    v = 0.5 / mass;
  for (int i = 0; i < steps; i++) {
    double a = -k * x / mass;
    if (!strcmp(method, "euler")) {
      x += dt * v;
      v += dt * a;
    } else if (!strcmp(method, "symplectic")) {
      v += dt * a;
      x += dt * v;
    } else {
      x += dt * v + 0.5 * dt * dt * a;
      double b = -k * x / mass;
      v += 0.5 * dt * (a + b);
    }
    if (i % 7 == 0) {
      char label[32];
      snprintf(label, sizeof label, "step %03d", i);
      note(log, "%s %s: %.3f %.3f\n", method, label, x, v);
    }
  }
  return 0.5 * mass * v * v + 0.5 * k * x * x;
}

int main(void) {
  static const struct option sets[][4] = {
      {{NULL, NULL}},
      {{"method", "symplectic"}, {"dt", "0.05"}, {"steps", "31"}, {NULL, NULL}},
      {{"start", "at-rest now"}, {"method", "verlet"}, {NULL, NULL}}};
  double p[2] = {3.1, 0.8}, t[2] = {0.4, -1.3};
  for (int s = 0; s < 3; s++) {
    struct log plain = {"", 0, 0}, logged = {"", 0, 0}, again = {"", 0, 0}, ignored = {"", 0, 0};
    simulate(sets[s], p[0], p[1], &plain);
    double d[2];
    d[0] = __enzyme_autodiff((void *)simulate, enzyme_const, sets[s], p[0], enzyme_const, p[1],
                             enzyme_const, &logged);
    d[1] = __enzyme_autodiff((void *)simulate, enzyme_const, sets[s], enzyme_const, p[0], p[1],
                             enzyme_const, &again);
    if (strcmp(plain.text, logged.text) || plain.lines != again.lines || plain.lines < 3)
      failures++;
    CHECK_SLOPES("parameter", 2, p, d,
                 simulate(sets[s], p[0], p[1], memset(&ignored, 0, sizeof ignored)));
    double tangent = __enzyme_fwddiff((void *)simulate, enzyme_const, sets[s], p[0], t[0], p[1],
                                      t[1], enzyme_const, &ignored);
    CHECK_FORWARD("simulate", tangent, 2, t, d);
  }
  return finish();
}
