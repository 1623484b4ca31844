// Runs kernels that gpu-emulate has rewritten: one fiber for each thread of a block, blocks one
// after another.
#ifndef ISOZYME_TEST_EMULATOR_H
#define ISOZYME_TEST_EMULATOR_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace gpu {

/// Of a block or a grid, in two dimensions.
class Size {
public:
  Size(unsigned X = 1, unsigned Y = 1) : Along{X, Y} {}
  unsigned all() const { return Along[0] * Along[1]; }
  unsigned operator[](unsigned Dimension) const { return Dimension < 2 ? Along[Dimension] : 1; }
  /// Of the one with this number.
  unsigned place(unsigned Number, unsigned Dimension) const {
    return Dimension == 0 ? Number % Along[0] : Dimension == 1 ? Number / Along[0] : 0;
  }

private:
  unsigned Along[2];
};

/// What launches give to `extern __shared__` arrays.
inline unsigned bytesOfLaunch = 0;

/// Atomic additions of floats that threads have done, each counted. Not on a GPU.
inline unsigned long atomicAdditions = 0;

/// Runs \p Thread once for each thread of each block.
void run(Size Grid, Size Block, const std::function<void()> &Thread);

#ifndef ON_DEVICE
template <class... P, class... A>
void launch(void (*Kernel)(P...), Size Grid, Size Block, A... Args) {
  run(Grid, Block, [&] { Kernel(Args...); });
}
#endif

/// Programs that are only measured compute too much for differences.
#ifdef MEASURE
constexpr bool IsMeasured = true;
#else
constexpr bool IsMeasured = false;
#endif

/// Ends the program with an error where the two are further apart than \p Tolerance, relatively.
inline void expectNear(const char *What, int I, double Got, double Wanted, double Tolerance) {
  if (IsMeasured || std::abs(Got - Wanted) <= Tolerance * (1 + std::abs(Wanted)))
    return;
  std::printf("%s[%d] is %.12g, should be %.12g\n", What, I, Got, Wanted);
  std::exit(1);
}

/// \p Gradient against central differences of \p Value by each element of \p X.
template <class T>
void expectGradient(const char *What, std::vector<T> &X, const std::vector<T> &Gradient,
                    const std::function<double()> &Value, double Step = 1e-6,
                    double Tolerance = 1e-7) {
  if (IsMeasured)
    return void(Value());
  for (size_t I = 0; I < X.size(); ++I) {
    T Old = X[I];
    X[I] = Old + T(Step);
    T Up = X[I];
    double Above = Value();
    X[I] = Old - T(Step);
    double Below = Value(), Width = double(Up) - double(X[I]);
    X[I] = Old;
    expectNear(What, I, Gradient[I], (Above - Below) / Width, Tolerance);
  }
}

/// Numbers between -1 and 1.
template <class T = double> std::vector<T> wave(int N, double Frequency) {
  std::vector<T> V(N);
  for (int I = 0; I < N; ++I)
    V[I] = T(std::sin(Frequency * (I + 1)));
  return V;
}

template <class T> double dot(const std::vector<T> &A, const std::vector<T> &B) {
  double Sum = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Sum += double(A[I]) * double(B[I]);
  return Sum;
}

/// Ends the program with an error where two arrays differ.
template <class T>
void expectSame(const char *What, const std::vector<T> &Got, const std::vector<T> &Wanted, double Tolerance) {
  for (size_t I = 0; I < Got.size(); ++I)
    expectNear(What, I, Got[I], Wanted[I], Tolerance);
}

} // namespace gpu

#ifdef ON_DEVICE
#include "on-device.h"
#endif

#endif
