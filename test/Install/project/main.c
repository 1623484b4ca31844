#include <stdio.h>

static double square(double x) { return x * x; }
double __enzyme_autodiff(void *, ...);

int main(void) {
  printf("d/dx x * x at 3 is %g\n", __enzyme_autodiff((void *)square, 3.0));
}
