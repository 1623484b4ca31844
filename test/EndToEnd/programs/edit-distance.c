// Dynamic programming: an edit distance whose costs are parameters, hard minimum and soft minimum.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <ctype.h>

struct costs {
  double insert, erase, vowel, consonant;
};

static int isVowel(char c) { return strchr("aeiou", tolower((unsigned char)c)) != NULL; }

static double substitution(const struct costs *c, char a, char b) {
  if (a == b)
    return 0;
  return isVowel(a) && isVowel(b) ? c->vowel : c->consonant;
}
static double softMin(double a, double b, double c, double t) {
  double m = fmin(a, fmin(b, c));
  return m - t * log(exp((m - a) / t) + exp((m - b) / t) + exp((m - c) / t));
}

/* temperature 0 means the hard minimum. Two rows of the table are kept. */
double distance(const struct costs *c, const char *a, const char *b, double temperature) {
  const int n = strlen(a), m = strlen(b);
  double *above = malloc((m + 1) * sizeof(double)), *row = malloc((m + 1) * sizeof(double));
  for (int j = 0; j <= m; j++)
    above[j] = j * c->insert;
  for (int i = 1; i <= n; i++) {
    row[0] = i * c->erase;
    for (int j = 1; j <= m; j++) {
      double erase = above[j] + c->erase;
      double insert = row[j - 1] + c->insert;
      double replace = above[j - 1] + substitution(c, a[i - 1], b[j - 1]);
      if (temperature > 0)
        row[j] = softMin(erase, insert, replace, temperature);
      else {
        row[j] = replace;
        if (erase < row[j])
          row[j] = erase;
        if (insert < row[j])
          row[j] = insert;
      }
    }
    double *other = above;
    above = row;
    row = other;
  }
  double result = above[m];
  free(above);
  free(row);
  return result;
}

static const char *const pairs[][2] = {{"kitten", "sitting"},
                                       {"saturday", "sunday"},
                                       {"", "abc"},
                                       {"aeon", ""},
                                       {"Derivate", "derive"}};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

int main(void) {
  struct costs c = {0.9, 1.13, 0.61, 1.27}, t = {1, -2, 0.5, 0.7};
  for (int i = 0; i < PAIRS; i++) {
    const char *a = pairs[i][0], *b = pairs[i][1];
    struct costs hard = {0}, soft = {0};
    __enzyme_autodiff((void *)distance, &c, &hard, enzyme_const, a, enzyme_const, b, enzyme_const,
                      0.0);
    CHECK_SLOPES_WITHIN(1e-3, "hard", 4, &c.insert, &hard.insert, distance(&c, a, b, 0));
    double s =
        __enzyme_autodiff((void *)distance, &c, &soft, enzyme_const, a, enzyme_const, b, 0.2);
    double temperature = 0.2;
    CHECK_SLOPES("soft", 4, &c.insert, &soft.insert, distance(&c, a, b, temperature));
    CHECK("temperature", s, SLOPE(temperature, distance(&c, a, b, temperature)));
    double tangent =
        __enzyme_fwddiff((void *)distance, &c, &t, enzyme_const, a, enzyme_const, b, 0.2, 3.0);
    CHECK("forward", tangent, innerProduct(&t.insert, &soft.insert, 4) + 3 * s);
  }
  return finish();
}
