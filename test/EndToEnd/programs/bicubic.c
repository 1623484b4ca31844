// Bicubic interpolation in a picture with mirrored borders: warping it to match another one.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  int width, height, stride;
  float *grey;
} Picture;

static inline int mirror(int i, int n) {
  while (i < 0 || i >= n)
    i = i < 0 ? -i - 1 : 2 * n - 1 - i;
  return i;
}
static inline double pixel(const Picture *p, int x, int y) {
  return p->grey[mirror(y, p->height) * p->stride + mirror(x, p->width)];
}
static inline double cubic(double a, double b, double c, double d, double t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
static double sample(const Picture *p, double x, double y) {
  const int ix = (int)floor(x), iy = (int)floor(y);
  double rows[4];
  for (int j = 0; j < 4; j++)
    rows[j] = cubic(pixel(p, ix - 1, iy + j - 1), pixel(p, ix, iy + j - 1),
                    pixel(p, ix + 1, iy + j - 1), pixel(p, ix + 2, iy + j - 1), x - ix);
  return cubic(rows[0], rows[1], rows[2], rows[3], y - iy);
}

/* Mean square difference after an affine map of the coordinates, with a vignette. */
double mismatch(const Picture *moved, const Picture *still, const double map[2][3]) {
  double sum = 0;
  for (int y = 0; y < still->height; y++)
    for (int x = 0; x < still->width; x++) {
      double u = map[0][0] * x + map[0][1] * y + map[0][2];
      double v = map[1][0] * x + map[1][1] * y + map[1][2];
      double e = sample(moved, u, v) - pixel(still, x, y);
      sum += e * e / (1 + 0.01 * (x * x + y * y));
    }
  return sum / (still->width * still->height);
}

enum { W = 7, H = 6, STRIDE = 8 };

int main(void) {
  float a[STRIDE * H], b[STRIDE * H], da[STRIDE * H] = {0}, db[STRIDE * H] = {0}, ta[STRIDE * H],
                                                  tb[STRIDE * H];
  double r[STRIDE * H], map[2][3] = {{0.93, 0.12, -1.31}, {-0.07, 1.04, 0.57}}, dmap[2][3] = {{0}};
  double tmap[2][3] = {{0.1, -0.2, 1}, {0.3, 0.1, -0.4}}, inner = 0;
  float *const arrays[] = {a, b, ta, tb};
  for (int k = 0; k < 4; k++) {
    fill(r, STRIDE * H, 82 + k, -1, 1);
    for (int i = 0; i < STRIDE * H; i++)
      arrays[k][i] = (float)r[i];
  }
  Picture p = {W, H, STRIDE, a}, q = {W, H, STRIDE, b}, dp = {W, H, STRIDE, da},
          dq = {W, H, STRIDE, db};
  Picture tp = {W, H, STRIDE, ta}, tq = {W, H, STRIDE, tb};
  __enzyme_autodiff((void *)mismatch, &p, &dp, &q, &dq, map, dmap);
  CHECK_SLOPES_WITHIN(1e-4, "map", 6, &map[0][0], &dmap[0][0],
                      mismatch(&p, &q, (const double (*)[3])map));
  for (int i = 0; i < STRIDE * H; i++)
    inner += (double)ta[i] * da[i] + (double)tb[i] * db[i];
  for (int i = 0; i < STRIDE * H; i += 5) { /* quadratic in the pixels: wide steps are exact */
    float keep = a[i];
    a[i] = keep + 0.25f;
    double up = mismatch(&p, &q, (const double (*)[3])map), step = a[i];
    a[i] = keep - 0.25f;
    double down = mismatch(&p, &q, (const double (*)[3])map);
    CHECK_FLOAT("pixel", da[i], (up - down) / (step - a[i]));
    a[i] = keep;
  }
  CHECK_FLOAT("forward", __enzyme_fwddiff((void *)mismatch, &p, &tp, &q, &tq, map, tmap),
              inner + innerProduct(&tmap[0][0], &dmap[0][0], 6));
  return finish();
}
