#include <math.h>
double __enzyme_autodiff(void *, ...);
static double inSecond(double x) { return exp(x) / x; }
double slopeInSecond(double x) { return __enzyme_autodiff((void *)inSecond, x); }
double square(double x) { return x * x; }
