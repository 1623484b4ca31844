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
FUNCTION(exp2, exp2(x), y * M_LN2)
FUNCTION(expm1, expm1(x), y + 1)
FUNCTION(log2, log2(x), 1 / (x * M_LN2))
FUNCTION(log10, log10(x), 1 / (x * M_LN10))
FUNCTION(asinh, asinh(x), 1 / sqrt(x * x + 1))
FUNCTION(acosh, acosh(x), 1 / sqrt(x * x - 1))
FUNCTION(atanh, atanh(x), 1 / (1 - x * x))
FUNCTION(asin, asin(x), 1 / sqrt(1 - x * x))
FUNCTION(acos, acos(x), -1 / sqrt(1 - x * x))
FUNCTION(sinh, sinh(x), cosh(x))
FUNCTION(cosh, cosh(x), sinh(x))
FUNCTION(tan, tan(x), 1 + y * y)
FUNCTION(erf, erf(x), M_2_SQRTPI * exp(-x * x))
FUNCTION(erfc, erfc(x), -M_2_SQRTPI * exp(-x * x))
FUNCTION(floor, floor(x), 0)
FUNCTION(ceil, ceil(x), 0)
FUNCTION(round, round(x), 0)
inline D dual_fma(const D &a, const D &b, const D &c) { return linear<D>(a.v * b.v, a, b.v, b, a.v) + c; }
inline D dual_fdim(const D &a, const D &b) { return a.v > b.v ? a - b : D(0.0); }
inline D dual_copysign(const D &a, const D &b) {
  return linear<D>(copysign(a.v, b.v), a, signbit(a.v) == signbit(b.v) ? 1 : -1, a, 0);
}
inline D dual_fmod(const D &a, const D &b) {
  return linear<D>(fmod(a.v, b.v), a, 1, b, -trunc(a.v / b.v));
}
inline D dual_frexp(const D &a, int *e) {
  double y = frexp(a.v, e);
  return linear<D>(y, a, ldexp(1.0, -*e), a, 0);
}
inline D dual_ldexp(const D &a, int e) { return linear<D>(ldexp(a.v, e), a, ldexp(1.0, e), a, 0); }
#define FLOAT_FUNCTION(NAME, VALUE, SLOPE)                                                         \
  inline Single dual_##NAME(const Single &a) {                                                     \
    float x = a.v, y = (VALUE);                                                                    \
    (void)y;                                                                                       \
    return linear<Single>(y, a, (SLOPE), a, 0);                                                    \
  }
FLOAT_FUNCTION(sinf, sinf(x), cosf(x))
FLOAT_FUNCTION(cosf, cosf(x), -sinf(x))
FLOAT_FUNCTION(expf, expf(x), y)
FLOAT_FUNCTION(sqrtf, sqrtf(x), 0.5f / y)
FLOAT_FUNCTION(fabsf, fabsf(x), x < 0 ? -1 : 1)

#define NOINLINE __attribute__((noinline))
#define EITHER union
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
struct VECTOR {
  D of[2];
  D &operator[](int i) { return of[i]; }
};
inline VECTOR operator*(const VECTOR &a, const VECTOR &b) { return {{a.of[0] * b.of[0], a.of[1] * b.of[1]}}; }
inline VECTOR operator+(const VECTOR &a, const VECTOR &b) { return {{a.of[0] + b.of[0], a.of[1] + b.of[1]}}; }
#define MAKE_VECTOR(a, b) (VECTOR{{D(a), D(b)}})

// From here on, programs are about dual numbers.
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
#define exp2 dual_exp2
#define expm1 dual_expm1
#define log2 dual_log2
#define log10 dual_log10
#define asinh dual_asinh
#define acosh dual_acosh
#define atanh dual_atanh
#define asin dual_asin
#define acos dual_acos
#define sinh dual_sinh
#define cosh dual_cosh
#define tan dual_tan
#define erf dual_erf
#define erfc dual_erfc
#define floor dual_floor
#define ceil dual_ceil
#define round dual_round
#define fma dual_fma
#define fdim dual_fdim
#define copysign dual_copysign
#define fmod dual_fmod
#define frexp dual_frexp
#define ldexp dual_ldexp
#define cosf dual_cosf
#define expf dual_expf
#define sqrtf dual_sqrtf
#define fabsf dual_fabsf
