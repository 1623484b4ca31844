// Of an integer that a function returns, one half is a float: 'or' of the two halves. The float
// was stored as 'or i32 0, %float', an integer, and the call counted as inactive at -O1. Now it is
// followed.
// RUN: %clang -w -O2 %s -o %t -lm && %t
// RUN: %clang -w -O1 %s -o %t -lm && %t
typedef struct {
  float x;
  unsigned a : 4, b : 12, c : 16;
} Packed;
static __attribute__((noinline)) Packed bump(Packed s, float k) {
  s.x *= k * s.b;
  s.c = s.b;
  return s;
}
double program(const double *x) {
  Packed s[3];
  for (int i = 0; i < 3; i++)
    s[i] = (Packed){(float)x[i], i + 1, 7, i};
  for (int k = 0; k < 4; k++)
    s[k % 3] = bump(s[k % 3], 0.125f);
  return (double)s[1].x * s[0].x;
}
double __enzyme_autodiff(void *, ...);
int main(void) {
  // The first is scaled twice by 7/8, the second once.
  double x[3] = {1, 2, 3}, d[3] = {0}, scale = 0.875 * 0.875 * 0.875;
  __enzyme_autodiff((void *)program, x, d);
  return d[0] != scale * x[1] || d[1] != scale * x[0] || d[2] != 0;
}
