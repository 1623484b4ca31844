double unknown(double);
double twice(double x) { return 2 * x; }
double refused(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double y = x[i] * x[i];
    s += unknown(y) + twice(y);
  }
  return s;
}
