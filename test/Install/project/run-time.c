#include <isozyme/isozyme_capi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  char *error = 0;
  isozyme_module *model = isozyme_compile_file(argv[argc - 1], 0, &error);
  double (*gradient)(const double *, double *, int, double) = 0;
  if (model)
    gradient = isozyme_derivative(model, "cost", ISOZYME_REVERSE, 0, &error);
  if (!gradient) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  double x[2] = {1, 2}, dx[2] = {0};
  gradient(x, dx, 2, 1);
  printf("the gradient of x * x at (1, 2) is (%g, %g)\n", dx[0], dx[1]);
  isozyme_release(model);
}
