// Numbers that are read from text and files are constants: they replace differentiated ones, and
// what is not read stays as it was. Nothing is read twice.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <unistd.h>

double scanned(const double *x, int n) {
  double p[4] = {x[0] * x[0], x[1] * x[1], x[2], x[3]};
  float f = (float)x[1];
  char word[8];
  int k = 0, end = 0;
  int got = sscanf("2.5 %7 0.5 up [ab] 9 3 rest 4", "%lf %%%*d %f %7s [%[^]]] %d %lf%n", &p[0], &f,
                   word, word + 4, &k, &p[1], &end);
  got += sscanf("1.5 x", "%lf %lf", &p[2], &p[3]); // The second one is not read.
  return (p[0] * x[1] + p[1] * x[2] + p[2] * x[3] + p[3] * x[0] + f * x[1]) * k * end * got;
}

struct record {
  int id;
  double at, weight;
};
static __attribute__((noinline)) int parse(const char *text, struct record *r) {
  return sscanf(text, "%d:%lf", &r->id, &r->weight);
}
double records(const double *x, int n) {
  struct record r[3];
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    r[i].at = x[i] * x[i];
    r[i].weight = x[i + 1];
    parse(i == 1 ? "7:0.25" : "9:?", &r[i]);
    sum += r[i].at * r[i].weight * r[i].id;
  }
  return sum;
}

double files(const double *x, int n) {
  double p[5], w[2] = {3, 4}, sum = 0;
  for (int i = 0; i < 5; i++)
    p[i] = x[i] * x[i];
  FILE *f = tmpfile();
  for (int i = 0; i < 3; i++)
    fwrite(w, sizeof *w, 2, f);
  fprintf(f, "2.5 5");
  rewind(f);
  for (int i = 0; i < 2; i++) {
    if (fread(p + i, sizeof *p, 2, f) != 2)
      abort();
    sum += p[0] * p[1] * x[i] * p[2];
  }
  fseek(f, 32, SEEK_SET);
  lseek(fileno(f), 32, SEEK_SET);
  if (read(fileno(f), p + 3, 16) != 16)
    abort();
  fseek(f, 48, SEEK_SET);
  if (fscanf(f, "%lf %lf", &p[0], &p[1]) != 2)
    abort();
  sum += p[0] * x[0] + p[1] * x[1] * p[3] + p[4] * x[4];
  p[0] = x[0];
  if (fread(p, sizeof *p, 1, f) != 0) // Behind the end.
    abort();
  fclose(f);
  return sum * p[0];
}

#define TEST(F) CHECK_FUNCTION(F, 5, x, t, 5)

int main(void) {
  double x[5], t[5];
  fill(x, 5, 91, 0.5, 1.5);
  fill(t, 5, 92, -1, 1);
  TEST(scanned);
  TEST(records);
  TEST(files);
  return finish();
}
