// Properties from a table found by bsearch with a comparison callback; a power plant's efficiency.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double pressure, temperature, liquid, vapour;
} Row;
typedef struct {
  int n;
  const Row *rows;
} Table;

static int covers(const void *key, const void *element) {
  double p = *(const double *)key;
  const Row *r = element;
  return p < r[0].pressure ? -1 : p >= r[1].pressure ? 1 : 0;
}
static Row lookup(const Table *t, double pressure) {
  const Row *r = bsearch(&pressure, t->rows, t->n - 1, sizeof *t->rows, covers);
  if (!r)
    r = pressure < t->rows[0].pressure ? t->rows : t->rows + t->n - 2;
  double f = log(pressure / r[0].pressure) / log(r[1].pressure / r[0].pressure);
  Row result = {pressure, r[0].temperature + f * (r[1].temperature - r[0].temperature),
                r[0].liquid + f * (r[1].liquid - r[0].liquid),
                r[0].vapour + f * (r[1].vapour - r[0].vapour)};
  return result;
}

/* The efficiency of a cycle between two pressures, with a pump and extraction steps between. */
double efficiency(const Table *t, double high, double low, double pump) {
  Row hot = lookup(t, high), cold = lookup(t, low);
  double work = 0, heat = hot.vapour - cold.liquid - pump * (high - low);
  double before = hot.vapour;
  for (int i = 1; i <= 3; i++) {
    Row stage = lookup(t, high * pow(low / high, i / 3.0));
    double after = stage.vapour - 0.4 * (stage.vapour - stage.liquid) * i / 3;
    work += (before - after) * (1 - 0.1 * i);
    before = after;
  }
  return (work - pump * (high - low)) / heat;
}

enum { N = 6, DOUBLES = 4 * N };

int main(void) {
  Row rows[N] = {{0.1, 46, 192, 2584}, {0.5, 81, 340, 2645}, {1, 100, 417, 2675},
                 {5, 152, 640, 2748},  {20, 212, 909, 2799}, {60, 276, 1213, 2784}};
  Row d[N], t[N];
  Table table = {N, rows}, dtable = {N, d}, ttable = {N, t};
  double high = 48, low = 0.07, pump = 0.3;
  memset(d, 0, sizeof d);
  fill((double *)t, DOUBLES, 9, -1, 1);
  double dpump = __enzyme_autodiff((void *)efficiency, &table, &dtable, enzyme_const, high,
                                   enzyme_const, low, pump);
  double dhigh = __enzyme_autodiff((void *)efficiency, enzyme_const, &table, high, enzyme_const,
                                   low, enzyme_const, pump);
  double dlow = __enzyme_autodiff((void *)efficiency, enzyme_const, &table, enzyme_const, high, low,
                                  enzyme_const, pump);
  CHECK_SLOPES_WITHIN(1e-3, "table", DOUBLES, (double *)rows, (double *)d,
                      efficiency(&table, high, low, pump));
  CHECK("high", dhigh, SLOPE(high, efficiency(&table, high, low, pump)));
  CHECK("low", dlow, SLOPE_WITHIN(1e-3, low, efficiency(&table, high, low, pump)));
  CHECK("pump", dpump, SLOPE(pump, efficiency(&table, high, low, pump)));
  double tangent =
      __enzyme_fwddiff((void *)efficiency, &table, &ttable, high, 0.5, low, 0.01, pump, -0.2);
  CHECK("forward", tangent,
        innerProduct((double *)t, (double *)d, DOUBLES) + 0.5 * dhigh + 0.01 * dlow - 0.2 * dpump);
  return finish();
}
