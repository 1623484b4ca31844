// Hares and foxes: two equations by Lotka and Volterra, solved by the classical method of Runge and Kutta.
#include <cmath>

namespace {
struct animals {
  double hares, foxes;
};

// rate: births and losses of hares, losses and births of foxes.
animals change(const double *rate, animals a) {
  return {rate[0] * a.hares - rate[1] * a.hares * a.foxes, rate[3] * a.hares * a.foxes - rate[2] * a.foxes};
}

animals ahead(animals a, animals by, double h) { return {a.hares + h * by.hares, a.foxes + h * by.foxes}; }

animals step(const double *rate, animals a, double h) {
  animals k1 = change(rate, a);
  animals k2 = change(rate, ahead(a, k1, h / 2));
  animals k3 = change(rate, ahead(a, k2, h / 2));
  animals k4 = change(rate, ahead(a, k3, h));
  return {a.hares + h / 6 * (k1.hares + 2 * k2.hares + 2 * k3.hares + k4.hares),
          a.foxes + h / 6 * (k1.foxes + 2 * k2.foxes + 2 * k3.foxes + k4.foxes)};
}
} // namespace

// The animals at the end of each year. start: hares and foxes in the beginning.
void simulate(const double *rate, const double *start, double *years, int count) {
  animals now{start[0], start[1]};
  for (int year = 0; year < count; ++year) {
    for (int i = 0; i < 100; ++i)
      now = step(rate, now, 0.01);
    years[2 * year] = now.hares;
    years[2 * year + 1] = now.foxes;
  }
}

// How far the logarithms of a simulation are from those of what was counted.
double mismatch(const double *rate, const double *start, const double *counted, int count) {
  animals now{start[0], start[1]};
  double sum = 0;
  for (int year = 0; year < count; ++year) {
    for (int i = 0; i < 100; ++i)
      now = step(rate, now, 0.01);
    double hares = std::log(now.hares / counted[2 * year]), foxes = std::log(now.foxes / counted[2 * year + 1]);
    sum += hares * hares + foxes * foxes;
  }
  return sum;
}
