#include <cs.h>

enum { Size = 5 };

// A tridiagonal matrix.
static cs *matrix(const double *x, double Above) {
  cs *Entries = cs_spalloc(0, 0, 1, 1, 1);
  for (int I = 0; I < Size; ++I) {
    cs_entry(Entries, I, I, 4 + x[I % 3]);
    if (I > 0) {
      cs_entry(Entries, I, I - 1, -x[1]);
      cs_entry(Entries, I - 1, I, -Above);
    }
  }
  cs *A = cs_compress(Entries);
  cs_spfree(Entries);
  return A;
}

static void right_hand_side(const double *x, double *B) {
  for (int I = 0; I < Size; ++I)
    B[I] = 1 + x[0] * I;
}

static double total(const double *B) {
  double Sum = 0;
  for (int I = 0; I < Size; ++I)
    Sum += B[I] * B[I] * (I + 1);
  return Sum;
}

double lu(const double *x) {
  cs *A = matrix(x, x[2]);
  double B[Size];
  right_hand_side(x, B);
  cs_lusol(1, A, B, 1.0);
  cs_spfree(A);
  return total(B);
}

double cholesky(const double *x) {
  cs *A = matrix(x, x[1]);
  double B[Size];
  right_hand_side(x, B);
  cs_cholsol(1, A, B);
  cs_spfree(A);
  return total(B);
}

double qr(const double *x) {
  cs *A = matrix(x, x[2]);
  double B[Size];
  right_hand_side(x, B);
  cs_qrsol(3, A, B);
  cs_spfree(A);
  return total(B);
}
