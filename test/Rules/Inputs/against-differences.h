// For a program that declares __enzyme_fwddiff and __enzyme_autodiff and defines Tolerance: check<F>(NAME, X)
// compares both modes with differences of the sixth order, which it extrapolates.
static int Failures;
template <double (*F)(double)> static void check(const char *Name, double X) {
  const double H = 1e-3;
  auto Difference = [&](double Step) { return (F(X + Step) - F(X - Step)) / (2 * Step); };
  const double Want = (64 * Difference(H) - 20 * Difference(2 * H) + Difference(4 * H)) / 45;
  const double Forward = __enzyme_fwddiff((void *)F, X, 1.0), Reverse = __enzyme_autodiff((void *)F, X);
  if (std::fabs(Forward - Want) < Tolerance && std::fabs(Reverse - Want) < Tolerance)
    return;
  printf("%s: forward %.15g, reverse %.15g, expected %.15g\n", Name, Forward, Reverse, Want);
  Failures++;
}
