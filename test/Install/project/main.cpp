#include <cmath>
#include <cstdio>
#include <isozyme/isozyme.h>

double wave(double X) { return std::sin(X) * X; }

template <typename... Args> double __enzyme_autodiff(double (*)(double), Args...);

int main() {
  std::printf("d/dx sin(x) * x at 2 is %.9g\n", __enzyme_autodiff(wave, enzyme_out, 2.0));
}
