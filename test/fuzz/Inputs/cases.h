// The inputs of a random program: sizes, values, seeds of its derivatives.
#define NX 5
#define NY 3
#define NCASES 4
static const int sizes[NCASES] = {5, 3, 0, 1};
static inline double uniform(unsigned *s) {
  *s = *s * 1664525u + 1013904223u;
  return (*s >> 8) / 16777216.0;
}
static inline void fillCase(int c, double *x, double *y, double *a) {
  unsigned s = 12345 + 77 * c;
  for (int i = 0; i < NX; i++)
    x[i] = -1.2 + 2.7 * uniform(&s);
  for (int i = 0; i < NY; i++)
    y[i] = -1 + 2 * uniform(&s);
  *a = 0.2 + uniform(&s);
}
// Seeds of one of several lanes: y's adjoints, and the tangents of x, y and a.
static inline void fillSeeds(int c, int lane, double *wy, double *tx, double *ty, double *ta) {
  unsigned s = 999 + 31 * c + 7 * lane;
  for (int i = 0; i < NY; i++)
    wy[i] = -1 + 2 * uniform(&s);
  for (int i = 0; i < NX; i++)
    tx[i] = -1 + 2 * uniform(&s);
  for (int i = 0; i < NY; i++)
    ty[i] = -1 + 2 * uniform(&s);
  *ta = uniform(&s);
}
