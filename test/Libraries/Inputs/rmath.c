// The library's own header renames these functions.
double pgamma(double, double, double, int, int), pbeta(double, double, double, int, int), pt(double, double, int, int),
    bessel_j(double, double), bessel_k(double, double, double), qgamma(double, double, double, int, int),
    ptukey(double, double, double, double, int, int), pnchisq(double, double, double, int, int);

double gamma_distribution(const double *x) { return pgamma(x[0], x[1], 1, 1, 0); }

double beta_distribution(const double *x) { return pbeta(x[0], x[1], x[2], 1, 0); }

double student(const double *x) { return pt(x[0], x[1], 1, 0); }

double bessel(const double *x) { return bessel_j(x[0], x[1]) + bessel_k(x[0], x[1], 1); }

double gamma_quantile(const double *x) { return qgamma(x[0], x[1], 1, 1, 0); }

double tukey(const double *x) { return ptukey(x[0], 1, 3, 10, 1, 0); }

double noncentral(const double *x) { return pnchisq(x[0], x[1], x[2], 1, 0); }
