// The same program as derivatives.inc, differentiated by dual numbers: PROGRAM is
// compiled with a class in place of double. Prints the same lines.
#include "dual.h"
#define double D
#define float Single
#define sin dual_sin
#define cos dual_cos
#define tanh dual_tanh
#define exp dual_exp
#define log dual_log
#define sqrt dual_sqrt
#define fabs dual_fabs
#define atan dual_atan
#define log1p dual_log1p
#define cbrt dual_cbrt
#define fmin dual_fmin
#define fmax dual_fmax
#define pow dual_pow
#define atan2 dual_atan2
#define hypot dual_hypot
#define sinf dual_sinf
#include PROGRAM
#undef double
#undef float
#undef sin
#include "cases.h"
int main(void) {
  for (int c = 0; c < NCASES; c++) {
    double vx[NX], vy[NY], va;
    fillCase(c, vx, vy, &va);
    D x[NX], y[NY], a(va);
    for (int i = 0; i < NX; i++) {
      x[i] = vx[i];
#ifdef SHARED
      x[i].d[i] = 0;
#else
      x[i].d[i] = 1;
#endif
    }
    for (int i = 0; i < NY; i++) {
      y[i] = vy[i];
      y[i].d[NX + i] = 1;
    }
    a.d[NX + NY] = 1;
    D r = f(x, y, sizes[c], a);
    for (int l = 0; l < WIDTH; l++) {
      double wy[NY], t[K];
      fillSeeds(c, l, wy, t, t + NX, t + NX + NY);
      if (MODE == 2) {
        for (int i = 0; i < NY; i++)
          printf("t %.17g\n", along(y[i], t));
        printf("t %.17g\n", along(r, t));
        continue;
      }
#ifdef SHARED
      int first = NX;
#else
      int first = 0;
#endif
      for (int k = first; k < K; k++) {
        double g = r.d[k];
        for (int i = 0; i < NY; i++)
          g += wy[i] * y[i].d[k];
        printf("g %.17g\n", g);
      }
    }
    printf("v %.17g\n", r.v);
    for (int i = 0; i < NY; i++)
      printf("v %.17g\n", y[i].v);
  }
}
