// A cascade of second-order filters in float: designs chosen from a table of functions, state kept.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  float b0, b1, b2, a1, a2;
} Coefficients;
typedef struct {
  Coefficients c;
  float s1, s2;
} Section;

typedef Coefficients Design(float frequency, float q, float gain);

static Coefficients divide(float b0, float b1, float b2, float a0, float a1, float a2) {
  return (Coefficients){b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0};
}
static Coefficients lowPass(float frequency, float q, float gain) {
  float c = cosf(frequency), alpha = sinf(frequency) / (2 * q);
  (void)gain;
  return divide((1 - c) / 2, 1 - c, (1 - c) / 2, 1 + alpha, -2 * c, 1 - alpha);
}
static Coefficients peak(float frequency, float q, float gain) {
  float a = powf(10, gain / 40), c = cosf(frequency), alpha = sinf(frequency) / (2 * q);
  return divide(1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a);
}
static Coefficients highPass(float frequency, float q, float gain) {
  float c = cosf(frequency), alpha = sinf(frequency) / (2 * q);
  (void)gain;
  return divide((1 + c) / 2, -(1 + c), (1 + c) / 2, 1 + alpha, -2 * c, 1 - alpha);
}
static Design *const designs[] = {lowPass, peak, highPass};

typedef struct {
  int kind;
  float frequency, q, gain;
} Band;

static float run(Section *s, float x) {
  float y = s->c.b0 * x + s->s1;
  s->s1 = s->c.b1 * x - s->c.a1 * y + s->s2;
  s->s2 = s->c.b2 * x - s->c.a2 * y;
  return y;
}

/* Filters the signal in place; returns the loudness after a soft clip. */
float equalize(const Band *bands, int count, float *signal, int n) {
  Section *sections = calloc(count, sizeof *sections);
  float power = 0;
  for (int i = 0; i < count; i++)
    sections[i].c = designs[bands[i].kind](bands[i].frequency, bands[i].q, bands[i].gain);
  for (int t = 0; t < n; t++) {
    float x = signal[t];
    for (int i = 0; i < count; i++)
      x = run(&sections[i], x);
    signal[t] = tanhf(x);
    power += signal[t] * signal[t];
  }
  free(sections);
  return power;
}

float __enzyme_fwddiff_float(void *, ...);
enum { BANDS = 3, N = 30 };
static const Band bands[BANDS] = {{2, 0.3f, 0.9f, 0}, {1, 0.9f, 1.5f, 5}, {0, 2.1f, 0.6f, 0}};

static double loudness(const Band *b, const float *signal) {
  float copy[N];
  memcpy(copy, signal, sizeof copy);
  return equalize(b, BANDS, copy, N);
}
static double difference(float *x, float step, const Band *b, const float *signal) {
  float keep = *x;
  *x = keep + step;
  double up = loudness(b, signal), width = *x;
  *x = keep - step;
  double down = loudness(b, signal);
  width -= *x;
  *x = keep;
  return (up - down) / width;
}
/* Good enough for float. */
static double slope(float *x, const Band *b, const float *signal) {
  return (4 * difference(x, 2e-2f, b, signal) - difference(x, 4e-2f, b, signal)) / 3;
}

int main(void) {
  Band b[BANDS], d[BANDS], t[BANDS];
  double r[2 * N];
  float x[N], copy[N], dx[N] = {0}, tx[N], inner = 0;
  fill(r, 2 * N, 95, -1, 1);
  memcpy(b, bands, sizeof b);
  memcpy(t, bands, sizeof t);
  memset(d, 0, sizeof d);
  for (int i = 0; i < N; i++) {
    x[i] = (float)r[i];
    tx[i] = (float)r[N + i];
  }
  memcpy(copy, x, sizeof x);
  __enzyme_autodiff((void *)equalize, b, d, BANDS, copy, dx, N);
  for (int i = 0; i < BANDS; i++) {
    checkWithin("frequency", i, d[i].frequency, slope(&b[i].frequency, b, x), 5e-3, 1e-4);
    checkWithin("q", i, d[i].q, slope(&b[i].q, b, x), 5e-3, 1e-4);
    checkWithin("gain", i, d[i].gain, slope(&b[i].gain, b, x), 5e-3, 1e-4);
    inner += t[i].frequency * d[i].frequency + t[i].q * d[i].q + t[i].gain * d[i].gain;
  }
  for (int i = 0; i < N; i++) {
    checkWithin("signal", i, dx[i], slope(&x[i], b, x), 2e-3, 1e-4);
    inner += tx[i] * dx[i];
  }
  memcpy(copy, x, sizeof x);
  float tangent = __enzyme_fwddiff_float((void *)equalize, b, t, BANDS, copy, tx, N);
  checkWithin("forward", -1, tangent, inner, 1e-4, 1e-4);
  return finish();
}
