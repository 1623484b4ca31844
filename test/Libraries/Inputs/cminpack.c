#include <cminpack.h>
#include <math.h>

static int decay(void *Data, int M, int N, const double *P, double *Residuals, double *Jacobian, int LD, int Flag) {
  const double *Measured = (const double *)Data;
  for (int I = 0; I < M; ++I) {
    double E = exp(-P[1] * 0.5 * I);
    if (Flag == 1) {
      Residuals[I] = P[0] * E - Measured[I];
    } else {
      Jacobian[I] = E;
      Jacobian[I + LD] = -0.5 * I * P[0] * E;
    }
  }
  return 0;
}

// The rate of a decay that fits four measurements, by Levenberg and Marquardt's method with derivatives.
double fit(const double *x) {
  double P[2] = {2, 0.5}, Residuals[4], Jacobian[8], Work[5 * 2 + 4];
  int Pivots[2];
  lmder1(decay, (void *)x, 4, 2, P, Residuals, Jacobian, 4, 1e-14, Pivots, Work, 14);
  return P[0] * P[1];
}

static int crossing(void *Data, int N, const double *P, double *Values, int Flag) {
  const double *x = (const double *)Data;
  Values[0] = P[0] * P[0] + P[1] - x[1];
  Values[1] = P[1] - x[0] * P[0];
  return 0;
}

// Where two curves meet, by Powell's method.
double equations(const double *x) {
  double P[2] = {1, 1}, Values[2], Work[(2 * (3 * 2 + 13)) / 2];
  hybrd1(crossing, (void *)x, 2, P, Values, 1e-14, Work, 19);
  return P[0] + 2 * P[1];
}

// The factorisation that the fit uses.
double householder(const double *x) {
  double A[9], Diagonal[3], Norms[3], Work[3];
  int Pivots[3];
  for (int I = 0; I < 9; ++I)
    A[I] = x[I];
  qrfac(3, 3, A, 3, 1, Pivots, 3, Diagonal, Norms, Work);
  return Diagonal[0] * Diagonal[1] + A[3] * A[6] + A[7];
}
