#include <isozyme/isozyme.h>
#include <stdio.h>

double cost(const double *x, int n);
void __enzyme_autodiff(void *, ...);

int main(void) {
  double x[2] = {1, 2}, dx[2] = {0};
  __enzyme_autodiff((void *)cost, enzyme_dup, x, dx, enzyme_const, 2);
  printf("the gradient of x * x at (1, 2) is (%g, %g)\n", dx[0], dx[1]);
}
