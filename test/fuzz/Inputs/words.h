// The words that random programs use where C and the reference (a class in place of
// double, in C++) have to be written differently: the C side.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define EITHER union
typedef long double WIDE;
#define NARROW(x) ((double)(x))
#define HALF(x) ((double)(_Float16)(x))
#define TEXT_OF(x) (x)
#define BITS(to, from)                                                                             \
  {                                                                                                \
    double v_ = (from);                                                                            \
    uint64_t b_;                                                                                   \
    memcpy(&b_, &v_, sizeof b_);                                                                   \
    union {                                                                                        \
      uint64_t u;                                                                                  \
      double d;                                                                                    \
    } u_ = {b_};                                                                                   \
    to = u_.d;                                                                                     \
  }
#define SELECT_BITS(to, c, p, q)                                                                   \
  {                                                                                                \
    double v_ = (p), w_ = (q);                                                                     \
    uint64_t m_ = -(uint64_t)(c), b_, d_;                                                          \
    memcpy(&b_, &v_, sizeof b_);                                                                   \
    memcpy(&d_, &w_, sizeof d_);                                                                   \
    b_ = m_ ? b_ : d_;                                                                             \
    memcpy(&to, &b_, sizeof to);                                                                   \
  }
typedef _Complex double COMPLEX;
#define MAKE_COMPLEX(a, b) __builtin_complex((double)(a), (double)(b))
#define TIMES(a, b) ((a) * (b))
#define HALF_OF 0.5
#define REAL(z) __real__(z)
#define IMAG(z) __imag__(z)
typedef double VECTOR __attribute__((vector_size(16)));
#define MAKE_VECTOR(a, b) ((VECTOR){(double)(a), (double)(b)})
