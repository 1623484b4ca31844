// Counts of a detector near a sample of two radioactive nuclides: a likelihood.
#include <cmath>

// The logarithm of the probability of counts, but for a constant, and of broad normal distributions before counting.
// p: logarithms of the two activities (counts per minute), of the two half-lives (minutes), and of the background.
double log_posterior(const double *p, const double *minute, const double *counts, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double expected = std::exp(p[4]);
    for (int nuclide = 0; nuclide < 2; ++nuclide)
      expected += std::exp(p[nuclide]) * std::exp2(-minute[i] / std::exp(p[2 + nuclide]));
    sum += counts[i] * std::log(expected) - expected; // Poisson.
  }
  const double middle[] = {5, 5, 1, 3.5, 1}, width[] = {2, 2, 0.7, 0.7, 1};
  for (int i = 0; i < 5; ++i) {
    double away = (p[i] - middle[i]) / width[i];
    sum -= away * away / 2;
  }
  return sum;
}
