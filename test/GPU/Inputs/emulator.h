// Runs kernels that gpu-emulate has rewritten: one fiber for each thread of a block, blocks one
// after another.
#ifndef ISOZYME_TEST_EMULATOR_H
#define ISOZYME_TEST_EMULATOR_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace gpu {

/// Runs \p Thread once for each thread of each block.
void run(unsigned Grid, unsigned Block, const std::function<void()> &Thread);

template <class... P, class... A>
void launch(void (*Kernel)(P...), unsigned Grid, unsigned Block, A... Args) {
  run(Grid, Block, [&] { Kernel(Args...); });
}

/// Ends the program with an error where the two are further apart than \p Tolerance, relatively.
inline void expectNear(const char *What, int I, double Got, double Wanted, double Tolerance) {
  if (std::abs(Got - Wanted) <= Tolerance * (1 + std::abs(Wanted)))
    return;
  std::printf("%s[%d] is %.12g, should be %.12g\n", What, I, Got, Wanted);
  std::exit(1);
}

/// \p Gradient against central differences of \p Value by each element of \p X.
template <class T>
void expectGradient(const char *What, std::vector<T> &X, const std::vector<T> &Gradient,
                    const std::function<double()> &Value, double Step = 1e-6,
                    double Tolerance = 1e-7) {
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

} // namespace gpu

#endif
