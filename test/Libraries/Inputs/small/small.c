#include <math.h>
#include <string.h>

double wave(const double *x) { return sin(x[0]) * x[1]; }

// A step function, though differences do not see it: the derivative of what is computed here is zero.
double bisected(const double *x) {
  double Low = 0, High = 2;
  for (int I = 0; I < 50; ++I) {
    double Middle = (Low + High) / 2;
    if (Middle * Middle < x[0])
      Low = Middle;
    else
      High = Middle;
  }
  return Low;
}

double scrambled(const double *x) {
  unsigned long Bits;
  double Made;
  memcpy(&Bits, x, 8);
  Bits = Bits * 2654435761 >> 12 | 0x3ff0000000000000;
  memcpy(&Made, &Bits, 8);
  return Made;
}
