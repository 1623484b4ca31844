// The prices of options by the formula of Black and Scholes, and their derivatives by all that they depend on; beside
// them those by hand.
#include "gpu.h"

struct Market {
  double rate, volatility;
};

#ifndef EMULATED

__device__ double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

__device__ double call(double spot, double strike, double years, const Market *m) {
  double root = m->volatility * sqrt(years);
  double d1 = (log(spot / strike) + (m->rate + 0.5 * m->volatility * m->volatility) * years) / root;
  return spot * normal(d1) - strike * exp(-m->rate * years) * normal(d1 - root);
}

__device__ void prices(const double *__restrict__ spot, const double *__restrict__ strike,
                       const double *__restrict__ years, const Market *__restrict__ m, double *__restrict__ price,
                       int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    price[i] = call(__ldg(&spot[i]), strike[i], years[i], m);
}

KERNEL values(const double *spot, const double *strike, const double *years, const Market *m, double *price, int n) {
  prices(spot, strike, years, m, price, n);
}
// The market is everybody's: each thread has a shadow of its own for it.
KERNEL gradients(const double *spot, double *dspot, const double *strike, double *dstrike, const double *years,
                 double *dyears, const Market *m, Market *dm, double *price, double *dprice, int n) {
  Market mine{0, 0}, copy = *m;
  __enzyme_autodiff<void>((void *)prices, enzyme_dup, isozyme_unshared, spot, dspot, enzyme_dup, isozyme_unshared,
                          strike, dstrike, enzyme_dup, isozyme_unshared, years, dyears, enzyme_dup, isozyme_unshared,
                          &copy, &mine, enzyme_dup, isozyme_unshared, price, dprice, enzyme_const, n);
  atomicAdd(&dm->rate, mine.rate);
  atomicAdd(&dm->volatility, mine.volatility);
}
KERNEL hand(const double *spot, double *dspot, const double *strike, double *dstrike, const double *years,
            double *dyears, const Market *m, Market *dm, const double *dprice, int n) {
  double rate = 0, volatility = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double t = sqrt(years[i]), root = m->volatility * t;
    double d1 = (log(spot[i] / strike[i]) + (m->rate + 0.5 * m->volatility * m->volatility) * years[i]) / root;
    double density = 0.39894228040143268 * exp(-0.5 * d1 * d1), discount = exp(-m->rate * years[i]);
    double first = normal(d1), second = normal(d1 - root);
    dspot[i] += dprice[i] * first;
    dstrike[i] -= dprice[i] * discount * second;
    dyears[i] += dprice[i] * (spot[i] * density * m->volatility / (2 * t) + m->rate * strike[i] * discount * second);
    rate += dprice[i] * strike[i] * years[i] * discount * second;
    volatility += dprice[i] * spot[i] * density * t;
  }
  atomicAdd(&dm->rate, rate);
  atomicAdd(&dm->volatility, volatility);
}

#else

KERNEL values(const double *spot, const double *strike, const double *years, const Market *m, double *price, int n);
KERNEL gradients(const double *spot, double *dspot, const double *strike, double *dstrike, const double *years,
                 double *dyears, const Market *m, Market *dm, double *price, double *dprice, int n);
KERNEL hand(const double *spot, double *dspot, const double *strike, double *dstrike, const double *years,
            double *dyears, const Market *m, Market *dm, const double *dprice, int n);

int main() {
  const int n = 37 * larger, threads = threadsFor(8), blocks = blocksFor(n, 2, 8);
  std::vector<double> spot(n), strike(n), years(n), price(n), dprice(n, 1), ones(n, 1);
  for (int i = 0; i < n; ++i)
    spot[i] = 1 + 0.3 * std::sin(i), strike[i] = 1 + 0.2 * std::cos(2 * i), years[i] = 0.2 + i % 5;
  Market m{0.03, 0.25}, dm{0, 0}, dmByHand{0, 0};
  std::vector<double> a(n), b(n), c(n), aByHand(n), bByHand(n), cByHand(n);
  gpu::launch(gradients, blocks, threads, spot.data(), a.data(), strike.data(), b.data(), years.data(), c.data(), &m, &dm,
              price.data(), dprice.data(), n);
  gpu::launch(hand, blocks, threads, spot.data(), aByHand.data(), strike.data(), bByHand.data(), years.data(), cByHand.data(), &m,
              &dmByHand, ones.data(), n);
  gpu::expectSame("spot", a, aByHand, 1e-10);
  gpu::expectSame("strike", b, bByHand, 1e-10);
  gpu::expectSame("years", c, cByHand, 1e-10);
  gpu::expectNear("rate", 0, dm.rate, dmByHand.rate, 1e-10);
  gpu::expectNear("volatility", 0, dm.volatility, dmByHand.volatility, 1e-10);
  gpu::expectGradient<double>("years", years, c, [&] {
    gpu::launch(values, blocks, threads, spot.data(), strike.data(), years.data(), &m, price.data(), n);
    return gpu::dot(price, ones);
  });
}

#endif
