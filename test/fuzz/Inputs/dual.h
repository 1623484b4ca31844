// Numbers with their derivatives by all K inputs, exact to rounding, and the words of
// words.h in terms of them.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define K 9
struct Single;
struct D {
  double v, d[K];
  D() = default;
  constexpr D(double x) : v(x), d{} {}
  D(const Single &f);
  explicit operator int() const { return (int)v; }
  D &operator+=(const D &o);
  D &operator-=(const D &o);
  D &operator*=(const D &o);
};
struct Single {
  float v;
  double d[K];
  Single() = default;
  constexpr Single(float x) : v(x), d{} {}
  explicit Single(const D &x) : v((float)x.v) { memcpy(d, x.d, sizeof d); }
  Single &operator+=(const Single &o);
  Single &operator-=(const Single &o);
  Single &operator*=(const Single &o);
};
inline D::D(const Single &f) : v(f.v) { memcpy(d, f.d, sizeof d); }
template <typename T>
T linear(double value, const T &a, double byA, const T &b, double byB) {
  T r;
  r.v = value;
  for (int i = 0; i < K; i++)
    r.d[i] = byA * a.d[i] + byB * b.d[i];
  return r;
}
inline double along(const D &x, const double *t) {
  double sum = 0;
  for (int i = 0; i < K; i++)
    sum += x.d[i] * t[i];
  return sum;
}
#define OPERATORS(T)                                                                               \
  inline T operator+(const T &a, const T &b) { return linear<T>(a.v + b.v, a, 1, b, 1); }          \
  inline T operator-(const T &a, const T &b) { return linear<T>(a.v - b.v, a, 1, b, -1); }         \
  inline T operator*(const T &a, const T &b) { return linear<T>(a.v * b.v, a, b.v, b, a.v); }      \
  inline T operator/(const T &a, const T &b) {                                                     \
    return linear<T>(a.v / b.v, a, 1.0 / b.v, b, -(double)a.v / b.v / b.v);                        \
  }                                                                                                \
  inline T operator-(const T &a) { return linear<T>(-a.v, a, -1, a, 0); }                          \
  inline bool operator<(const T &a, const T &b) { return a.v < b.v; }                              \
  inline bool operator>(const T &a, const T &b) { return a.v > b.v; }                              \
  inline T &T::operator+=(const T &o) { return *this = *this + o; }                                \
  inline T &T::operator-=(const T &o) { return *this = *this - o; }                                \
  inline T &T::operator*=(const T &o) { return *this = *this * o; }
OPERATORS(D)
OPERATORS(Single)
#define FUNCTION(NAME, VALUE, SLOPE)                                                               \
  inline D dual_##NAME(const D &a) {                                                               \
    double x = a.v, y = (VALUE);                                                                   \
    (void)y;                                                                                       \
    return linear<D>(y, a, (SLOPE), a, 0);                                                         \
  }
FUNCTION(sin, sin(x), cos(x))
FUNCTION(cos, cos(x), -sin(x))
FUNCTION(tanh, tanh(x), 1 - y * y)
FUNCTION(exp, exp(x), y)
FUNCTION(log, log(x), 1 / x)
FUNCTION(sqrt, sqrt(x), 0.5 / y)
FUNCTION(fabs, fabs(x), x < 0 ? -1 : 1)
FUNCTION(atan, atan(x), 1 / (1 + x * x))
FUNCTION(log1p, log1p(x), 1 / (1 + x))
FUNCTION(cbrt, cbrt(x), y / (3 * x))
inline D dual_fmin(const D &a, const D &b) { return a.v < b.v ? a : b; }
inline D dual_fmax(const D &a, const D &b) { return a.v > b.v ? a : b; }
inline D dual_pow(const D &a, const D &b) {
  double y = pow(a.v, b.v);
  return linear<D>(y, a, b.v * pow(a.v, b.v - 1), b, a.v > 0 ? y * log(a.v) : 0);
}
inline D dual_atan2(const D &a, const D &b) {
  double s = a.v * a.v + b.v * b.v;
  return linear<D>(atan2(a.v, b.v), a, b.v / s, b, -a.v / s);
}
inline D dual_hypot(const D &a, const D &b) {
  double y = hypot(a.v, b.v);
  return linear<D>(y, a, a.v / y, b, b.v / y);
}
inline Single dual_sinf(const Single &a) { return linear<Single>(sinf(a.v), a, cosf(a.v), a, 0); }

#define NOINLINE __attribute__((noinline))
typedef D WIDE;
#define NARROW(x) (x)
inline D HALF(D x) {
  x.v = (double)(_Float16)x.v;
  return x;
}
#define TEXT_OF(x) (D(x).v)
#define BITS(to, from) to = (from);
#define SELECT_BITS(to, c, p, q)                                                                   \
  {                                                                                                \
    D v_ = (p), w_ = (q);                                                                          \
    to = (c) ? v_ : w_;                                                                            \
  }
struct COMPLEX {
  D re, im;
};
inline COMPLEX operator+(const COMPLEX &a, const COMPLEX &b) { return {a.re + b.re, a.im + b.im}; }
inline COMPLEX operator*(const COMPLEX &a, double b) { return {a.re * b, a.im * b}; }
#define MAKE_COMPLEX(a, b) (COMPLEX{D(a), D(b)})
inline COMPLEX TIMES(const COMPLEX &a, const COMPLEX &b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
#define HALF_OF 0.5
#define REAL(z) ((z).re)
#define IMAG(z) ((z).im)
