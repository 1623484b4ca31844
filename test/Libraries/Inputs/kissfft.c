#include <kiss_fft.h>
#include <kiss_fftr.h>
#include <stdlib.h>

// Some of the power of ten complex numbers' spectrum.
double spectrum(const double *x) {
  kiss_fft_cpx In[10], Out[10];
  for (int I = 0; I < 10; ++I) {
    In[I].r = x[I];
    In[I].i = 0.5 * x[(I + 3) % 10] * x[I];
  }
  kiss_fft_cfg Plan = kiss_fft_alloc(10, 0, 0, 0);
  kiss_fft(Plan, In, Out);
  free(Plan);
  double Sum = 0;
  for (int I = 0; I < 10; ++I)
    Sum += (I + 1) * (Out[I].r * Out[I].r + 2 * Out[I].i * Out[I].i);
  return Sum;
}

double real_spectrum(const double *x) {
  kiss_fft_cpx Out[6];
  kiss_fftr_cfg Plan = kiss_fftr_alloc(10, 0, 0, 0);
  kiss_fftr(Plan, x, Out);
  kiss_fftr_free(Plan);
  return Out[1].r * Out[2].i + Out[4].r * Out[4].r - Out[5].r;
}
